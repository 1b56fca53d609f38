import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './Icon.tsx'
import './dialog.css'

type Props = {
  title: string
  isOpen: boolean
  /** also called by Escape and a click beside the dialog */
  close: () => void
  children: ComponentChildren
}

/** A modal dialog; it returns the focus to the element that opened it. */
export const Dialog = ({ title, isOpen, close, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // before the next frame, which would show the dialog without its content
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, too
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onClose={close}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={close}>
            <Icon name="cross" />
          </button>
        </div>
        {isOpen && children}
      </div>
    </dialog>
  )
}
