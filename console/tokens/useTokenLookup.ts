import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { nativeSentinel } from './nativeSentinel.ts'
import { findToken, type Token } from './tokenBook.ts'

/** `unknown`: there is no token, or nobody can say. */
export type TokenLookup = { state: 'none' | 'loading' | 'unknown' } | { state: 'known'; token: Token }

/**
 * A token somebody named, and whether it is one.
 * @param address lower case; empty: none
 * @param listed tokens that need no question
 */
export const useTokenLookup = (network: Network, address: string, listed: readonly Token[]): TokenLookup => {
  const { chainId } = network
  const own = address === nativeSentinel ? toNative(network) : listed.find((token) => token.address === address)
  const isAsked = address !== '' && own === undefined
  const [found, setFound] = useState<{ address: string; token: Token | undefined }>()
  useEffect(() => {
    if (!isAsked) return
    let isShown = true
    void findToken(chainId, address).then((token) => isShown && setFound({ address, token }))
    return () => {
      isShown = false
    }
  }, [chainId, address, isAsked])
  if (own) return { state: 'known', token: own }
  if (!isAsked) return { state: 'none' }
  if (found?.address !== address) return { state: 'loading' }
  return found.token ? { state: 'known', token: found.token } : { state: 'unknown' }
}

export const toNative = ({ nativeSymbol }: Network): Token => ({
  address: nativeSentinel,
  symbol: nativeSymbol,
  name: `${nativeSymbol}, the network’s own`,
  decimals: 18,
})
