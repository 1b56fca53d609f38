import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fromTyped, localize, toTyped } from '../numbers.ts'

type Props = {
  id: string
  class?: string
  placeholder: string
  'aria-label'?: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
  /** in the neutral format: `1234.5` */
  value: string
  onValue: (value: string) => void
  readOnly?: boolean
}

/** A number as the browser's language types it, with separators while it is not edited. */
export const NumberInput = ({ value, onValue, ...rest }: Props) => {
  const [isEdited, setEdited] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const isPointed = useRef(false)
  // the text without separators is new, so it would not be selected as after every other step by the keyboard
  useLayoutEffect(() => {
    if (isEdited && !isPointed.current) input.current?.select()
    isPointed.current = false
  }, [isEdited])
  return (
    <input
      inputMode="decimal"
      autocomplete="off"
      {...rest}
      ref={input}
      value={isEdited ? toTyped(value) : localize(value)}
      onPointerDown={() => {
        isPointed.current = true
      }}
      onFocus={() => setEdited(true)}
      onBlur={() => setEdited(false)}
      onInput={(event) => onValue(fromTyped(event.currentTarget.value))}
    />
  )
}
