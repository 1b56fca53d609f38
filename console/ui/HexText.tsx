import { useState } from 'preact/hooks'
import { shorten } from './shorten.ts'

type Props = {
  value: string
  /** label of the copy button: `order UID` */
  label: string
  /** its page; without it the value is not a link */
  href?: string | undefined
}

const confirmedMs = 1_500

/** A shortened address, hash or UID; the title and the copy button have the full value. */
export const HexText = ({ value, label, href }: Props) => {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), confirmedMs)
  }
  const text = <code>{shorten(value)}</code>
  return (
    <span class="hex-text">
      {href ? (
        <a href={href} title={value}>
          {text}
        </a>
      ) : (
        <span title={value}>{text}</span>
      )}
      <button type="button" class="copy" aria-label={isCopied ? `${label} copied` : `Copy ${label}`} onClick={copy}>
        <svg
          aria-hidden="true"
          width="16"
          height="16"
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
        >
          {isCopied ? <path d="M3 8.5l3.5 3.5L13 4.5" /> : <path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7" />}
        </svg>
      </button>
    </span>
  )
}
