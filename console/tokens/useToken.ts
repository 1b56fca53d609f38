import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { nativeSentinel } from './nativeSentinel.ts'
import { findToken, type Token } from './tokenBook.ts'

/** A token of a network; undefined while it is asked for, and only its address when nobody knows it. */
export const useToken = (network: Network, address: string): Token | undefined => {
  const [token, setToken] = useState<Token>()
  const { chainId, nativeSymbol } = network
  useEffect(() => {
    if (address === nativeSentinel) return setToken({ address, symbol: nativeSymbol, name: nativeSymbol, decimals: 18 })
    let isShown = true
    setToken(undefined)
    void findToken(chainId, address).then((found) => isShown && setToken(found ?? { address }))
    return () => {
      isShown = false
    }
  }, [chainId, nativeSymbol, address])
  return token
}
