import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { nativeSentinel } from './nativeSentinel.ts'

/** US dollars for one whole token, by address; tokens without a known price are missing. */
export type UsdPrices = ReadonlyMap<string, number>

const refreshMs = 60_000

/**
 * Prices of tokens, where the API knows them.
 * @param tokens addresses, lower case
 * @returns undefined before the first response
 */
export const useUsdPrices = (network: Network, tokens: readonly string[]): UsdPrices | undefined => {
  const known = tokens.filter((token) => token !== '')
  const key = known.length > 0 ? `usd:${network.name}:${known.join()}` : null
  const { data, failure } = useRequest(key, (signal) => loadPrices(network, known, signal), refreshMs)
  return data ?? (failure ? new Map() : undefined)
}

const loadPrices = async ({ name, wrappedNative }: Network, tokens: string[], signal: AbortSignal) => {
  const requested = tokens.map((token) => (token === nativeSentinel ? wrappedNative : token))
  const prices = await read(
    client.POST('/{chainId}/tokens/prices', {
      params: { path: { chainId: name } },
      body: { tokenAddresses: [...new Set(requested)] },
      signal,
    }),
  )
  return new Map(
    tokens.flatMap((token, index): [string, number][] => {
      const price = prices.find(({ address }) => address === requested[index])?.price
      return price === null || price === undefined ? [] : [[token, price]]
    }),
  )
}
