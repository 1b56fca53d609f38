import type { Token } from '../token.ts'

const addressPattern = /^0x[0-9a-f]{40}$/

/** Returns true for an address, which may be a token outside the list. */
export const isTypedAddress = (text: string): boolean => addressPattern.test(text.trim().toLowerCase())

/**
 * Tokens matching a typed text: first those whose symbol begins with it, then those with it in their symbol or name or
 * at the beginning of their address; otherwise in list order.
 */
export const filterTokens = (tokens: readonly Token[], typed: string): Token[] => {
  const text = typed.trim().toLowerCase()
  if (text === '') return [...tokens]
  const rank = ({ address, symbol = '', name = '' }: Token): number => {
    if (symbol.toLowerCase() === text) return 0
    if (symbol.toLowerCase().startsWith(text)) return 1
    if (symbol.toLowerCase().includes(text) || name.toLowerCase().includes(text)) return 2
    return text.startsWith('0x') && address.startsWith(text) ? 2 : 3
  }
  return tokens.filter((token) => rank(token) < 3).sort((a, b) => rank(a) - rank(b))
}
