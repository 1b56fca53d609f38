import { nativeSentinel } from './nativeSentinel.ts'
import type { Token } from './token.ts'

/**
 * Returns true for a token that the API lists; the symbol of any other token is unverified.
 * @param listed a list with only the native token counts as missing, and then every token passes
 */
export const isListed = (listed: readonly Token[], address: string): boolean =>
  listed.every((token) => token.address === nativeSentinel) || listed.some((token) => token.address === address)
