import type { Token } from './tokenBook.ts'

const addressPattern = /^0x[0-9a-f]{40}$/

/** Whether what was typed is an address, and so may be a token that is not listed. */
export const isTypedAddress = (text: string): boolean => addressPattern.test(text.trim().toLowerCase())

/**
 * The tokens that fit what somebody typed: those whose symbol begins so first, then those that have it in their symbol or name,
 * or at the beginning of their address; otherwise in the order of the list.
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
