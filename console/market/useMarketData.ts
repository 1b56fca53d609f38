import { client } from '../api/client.ts'
import type { components } from '../api/openapi.d.ts'
import { read } from '../api/read.ts'
import { type RequestState, useRequest } from '../api/useRequest.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { isListed } from '../tokens/isListed.ts'
import { useTokenList } from '../tokens/useTokenList.ts'
import { type Market, toPairPath } from './market.ts'
import { type TimeRange, timeRanges } from './timeRanges.ts'
import { toMarket } from './toMarket.ts'

type Schemas = components['schemas']
export type NetworkTrade = Schemas['NetworkTrade']
export type ListedMarket = Schemas['Market']

/** Prices change with each sample. */
const candlesEveryMs = 60_000
const bookEveryMs = 15_000

/** Both directions of a pair are one market; null without two different tokens. */
const toKey = (market: Market | undefined, { wrappedNative }: Network): string | null =>
  market !== undefined && toMarket(market.base.address, market.quote.address, wrappedNative) !== null
    ? toPairPath(market, wrappedNative)
    : null

/** Past prices of a market in its shown direction. */
export const useCandles = (
  network: Network,
  market: Market | undefined,
  range: TimeRange,
): RequestState<Schemas['Candles']> => {
  const pair = toKey(market, network)
  const { interval, count } = timeRanges[range]
  return useRequest(
    pair && `candles ${network.name} ${pair} ${range}`,
    (signal) => {
      const path = { chainId: network.name, pair: pair ?? '' }
      return read(
        client.GET('/{chainId}/markets/{pair}/candles', { params: { path, query: { interval, count } }, signal }),
      )
    },
    candlesEveryMs,
  )
}

/** Open orders of a market. */
export const useDepth = (network: Network, market: Market | undefined): RequestState<Schemas['Depth']> => {
  const pair = toKey(market, network)
  return useRequest(
    pair && `depth ${network.name} ${pair}`,
    (signal) => {
      const path = { chainId: network.name, pair: pair ?? '' }
      return read(client.GET('/{chainId}/markets/{pair}/depth', { params: { path }, signal }))
    },
    bookEveryMs,
  )
}

/** Newest trades of a market, of all accounts or of one. */
export const useTrades = (
  network: Network,
  market: Market | undefined,
  { owner, limit }: { owner?: string | null; limit: number },
): RequestState<NetworkTrade[]> => {
  const pair = owner === null ? null : toKey(market, network)
  return useRequest(
    pair && `trades ${network.name} ${pair} ${owner}`,
    (signal) => {
      const query = { pair: pair ?? '', limit, ...(owner ? { owner } : {}) }
      return read(
        client.GET('/{network}/api/v1/explorer/trades', { params: { path: { network: network.name }, query }, signal }),
      )
    },
    bookEveryMs,
  )
}

/** Pairs of listed tokens with trades of the last day, the largest volume first. */
export const useMarkets = (network: Network): { markets: ListedMarket[] | undefined; isUnavailable: boolean } => {
  const { data, failure } = useRequest(
    `markets ${network.name}`,
    (signal) => read(client.GET('/{chainId}/markets', { params: { path: { chainId: network.name } }, signal })),
    candlesEveryMs,
  )
  const listed = useTokenList(network.name).data ?? []
  const markets = data?.filter(({ base, quote }) => isListed(listed, base) && isListed(listed, quote))
  return { markets, isUnavailable: data === undefined && failure !== null }
}
