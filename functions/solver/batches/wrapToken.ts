import type { Address } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'

/** Returns the wrapped native token for the native one, which has no pools, and any other token unchanged. */
export const wrapToken = (token: Address, wrappedNative: Address): Address =>
  token === nativeSentinel ? wrappedNative : token
