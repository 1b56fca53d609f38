import { toSafeText } from '../ui/toSafeText.ts'
import type { Token } from './tokenBook.ts'

const maxSymbolLength = 20
const maxNameLength = 60

/**
 * A token as it may be shown: its symbol, which stands in sentences that are signed, is one short word, and its name a short line.
 * The contract says both, and anybody can deploy one.
 */
export const toSafeToken = ({ symbol: givenSymbol, name: givenName, ...token }: Token): Token => {
  const symbol = toSafeText(givenSymbol, maxSymbolLength)?.replaceAll(' ', '')
  const name = toSafeText(givenName, maxNameLength)
  return { ...token, ...(symbol === undefined ? {} : { symbol }), ...(name === undefined ? {} : { name }) }
}
