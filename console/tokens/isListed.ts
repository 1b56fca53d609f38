import { nativeSentinel } from './nativeSentinel.ts'
import type { Token } from './tokenBook.ts'

/**
 * Whether the API offers a token. Of another one nobody has said that it is what its symbol says.
 * @param listed without any token but the native one there is no list, and nothing is held against a token
 */
export const isListed = (listed: readonly Token[], address: string): boolean =>
  listed.every((token) => token.address === nativeSentinel) || listed.some((token) => token.address === address)
