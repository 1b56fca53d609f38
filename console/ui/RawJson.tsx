import { useState } from 'preact/hooks'
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      {isOpen && <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>}
    </details>
  )
}
