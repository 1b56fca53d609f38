import { useEffect, useState } from 'preact/hooks'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import type { Token } from './token.ts'
import { toSafeToken } from './toSafeToken.ts'

const known = new Map<NetworkName, Promise<Token[]>>()

/** Loaded once: the list changes only with the settings of a deployment. */
const findTokens = (network: NetworkName): Promise<Token[]> => {
  const found =
    known.get(network) ??
    read(client.GET('/{network}/api/v1/tokens', { params: { path: { network } } })).then(
      (tokens) => tokens.map(toSafeToken),
      () => {
        known.delete(network)
        return []
      },
    )
  known.set(network, found)
  return found
}

/** Tokens that the API lists on a network; empty until loaded, and when they cannot be loaded. */
export const useListedTokens = (network: NetworkName): readonly Token[] => {
  const [tokens, setTokens] = useState<readonly Token[]>([])
  useEffect(() => {
    let isShown = true
    void findTokens(network).then((found) => isShown && setTokens(found))
    return () => {
      isShown = false
    }
  }, [network])
  return tokens
}
