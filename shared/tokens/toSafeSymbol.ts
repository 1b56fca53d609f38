const maxLength = 20
/**
 * all but what a symbol is made of: letters and digits of any script that can be seen, currency and other signs, and what joins
 * them; a slash in front makes a word a command for a Telegram bot
 */
const others = /[^\p{L}\p{N}\p{Sc}\p{So}+\-_./]|\p{Default_Ignorable_Code_Point}/gu
const leadingSlashes = /^\/+/
/** would be a link in many an app: `claim-usdc.com` */
const linkLike = /\.\p{L}{2}|\/\//u

/**
 * The symbol of a token for people to read. A contract says whatever it likes: markup, control characters, letters that
 * reverse what follows, a sentence with a link, a megabyte.
 * @param symbol as the contract says it
 * @returns one word of 20 characters at most; undefined when there is nothing that could be shown
 */
export const toSafeSymbol = (symbol: string | null | undefined): string | undefined => {
  const text = (symbol ?? '').slice(0, 256).normalize('NFKC').replace(others, '').replace(leadingSlashes, '')
  if (text === '' || linkLike.test(text)) return undefined
  const characters = [...text]
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : text
}
