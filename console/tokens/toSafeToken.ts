import { toSafeText } from '../ui/toSafeText.ts'
import type { Token } from './token.ts'

const maxSymbolLength = 20
const maxNameLength = 60

/**
 * A token safe for display: its symbol, used in signed sentences, is one short word, its name one short line. Both come
 * from the contract, which anyone can deploy.
 */
export const toSafeToken = ({ symbol: givenSymbol, name: givenName, ...token }: Token): Token => {
  const symbol = toSafeText(givenSymbol, maxSymbolLength)?.replaceAll(' ', '')
  const name = toSafeText(givenName, maxNameLength)
  return { ...token, ...(symbol === undefined ? {} : { symbol }), ...(name === undefined ? {} : { name }) }
}
