import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { nativeSentinel } from './nativeSentinel.ts'
import type { Token } from './token.ts'
import { findToken } from './tokenBook.ts'
import { toNative } from './toNative.ts'

/** `unknown`: the token does not exist or cannot be read. */
export type TokenLookup = { state: 'none' | 'loading' | 'unknown' } | { state: 'known'; token: Token }

/** Tokens found before, by chain and address, so that a new element shows them at once. */
const settled = new Map<string, Token>()

/**
 * A token by its address, and whether it exists.
 * @param address lower case; empty: none
 * @param listed tokens that need no request
 */
export const useTokenLookup = (network: Network, address: string, listed: readonly Token[]): TokenLookup => {
  const { chainId } = network
  const own =
    address === nativeSentinel
      ? toNative(network)
      : (listed.find((token) => token.address === address) ?? settled.get(`${chainId}:${address}`))
  const isRequested = address !== '' && own === undefined
  const [found, setFound] = useState<{ chainId: number; address: string; token: Token | undefined }>()
  useEffect(() => {
    if (!isRequested) return
    let isShown = true
    void findToken(chainId, address).then((token) => {
      if (token) settled.set(`${chainId}:${address}`, token)
      if (isShown) setFound({ chainId, address, token })
    })
    return () => {
      isShown = false
    }
  }, [chainId, address, isRequested])
  if (own) return { state: 'known', token: own }
  if (!isRequested) return { state: 'none' }
  // the state is one render behind a new address
  if (found?.address !== address || found.chainId !== chainId) return { state: 'loading' }
  return found.token ? { state: 'known', token: found.token } : { state: 'unknown' }
}
