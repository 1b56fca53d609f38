const maxLength = 20
/**
 * characters not allowed in a symbol. Allowed: visible letters and digits of any script, currency and other signs, and
 * joiners; a leading slash would be a command for a Telegram bot
 */
const others = /[^\p{L}\p{N}\p{Sc}\p{So}+\-_./]|\p{Default_Ignorable_Code_Point}/gu
const leadingSlashes = /^\/+/
/** many apps would show it as a link: `claim-usdc.com` */
const linkLike = /\.\p{L}{2}|\/\//u

/**
 * Sanitises a token symbol for display. Contracts can return any text: markup, control characters, text direction
 * overrides, a sentence with a link, a megabyte.
 * @param symbol as the contract returns it
 * @returns one word of at most 20 characters; undefined when nothing displayable remains
 */
export const toSafeSymbol = (symbol: string | null | undefined): string | undefined => {
  const text = (symbol ?? '').slice(0, 256).normalize('NFKC').replace(others, '').replace(leadingSlashes, '')
  if (text === '' || linkLike.test(text)) return undefined
  const characters = [...text]
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : text
}
