import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import './popover.css'

type Props = {
  /** accessible name of the button, also of the panel */
  label: string
  /** full text of an abbreviation in the button */
  title?: string
  class?: string
  button: ComponentChildren
  children: (close: () => void) => ComponentChildren
}

/** A button that shows a panel below it; Escape and a click elsewhere close it. */
export const Popover = ({ label, title, class: className, button, children }: Props) => {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setIsOpen(false)
    opener.current?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setIsOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [isOpen])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the panel from any of its elements
    <div ref={root} class="popover" onKeyDown={(event) => event.key === 'Escape' && isOpen && close()}>
      <button
        ref={opener}
        type="button"
        class={className}
        aria-label={label}
        title={title}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {button}
      </button>
      <section id={id} class="popover-panel" aria-label={label} hidden={!isOpen}>
        {isOpen && children(close)}
      </section>
    </div>
  )
}
