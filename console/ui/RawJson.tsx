import { useState } from 'preact/hooks'
import { Preformatted } from './elements/Preformatted.tsx'
import './rawJson.css'

/** A raw API response in a disclosure. @param href its URL */
export const RawJson = ({ title, value, href }: { title: string; value: unknown; href: string }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details class="raw" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      <p>
        <a href={href} target="_blank" rel="noreferrer">
          {href}
        </a>
      </p>
      {isOpen && <Preformatted text={JSON.stringify(value, null, 2)} />}
    </details>
  )
}
