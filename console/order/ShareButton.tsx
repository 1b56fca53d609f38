import { useState } from 'preact/hooks'

const copiedMs = 1_500

/** Copies the address of the page. */
export const ShareButton = () => {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(location.href)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), copiedMs)
  }
  return (
    <button type="button" class="outlined" onClick={copy}>
      {isCopied ? 'Link copied' : 'Copy link'}
    </button>
  )
}
