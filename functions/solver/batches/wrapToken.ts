import type { Address } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'

/** The token itself; the wrapped native token for the native one, which has no market of its own. */
export const wrapToken = (token: Address, wrappedNative: Address): Address =>
  token === nativeSentinel ? wrappedNative : token
