import { client } from '../../api/client.ts'
import type { components } from '../../api/openapi.d.ts'
import { read } from '../../api/read.ts'
import { useRequest } from '../../api/useRequest.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { PricePoint } from '../../ui/chart/splitAtGaps.ts'
import { toPriceSeries } from '../../ui/chart/toPriceSeries.ts'
import type { TradablePair } from '../draft/tradableToken.ts'
import { type PriceRange, priceRanges } from './priceRanges.ts'
import { toMarket, toMarketToken } from './toMarket.ts'

type Series = {
  /** oldest first; undefined: loading; empty: none, or unavailable */
  points: readonly PricePoint[] | undefined
  isUnavailable: boolean
}

/** Prices change with each sample. */
const refreshMs = 60_000
const none: components['schemas']['Candles']['candles'] = []

/**
 * Past prices of a pair from the samples of the service.
 * @param shown the displayed price is in tokens of `quote` for one `base`
 */
export const usePriceSeries = (
  network: Network,
  shown: { base: TradablePair['sell']; quote: TradablePair['sell'] } | undefined,
  range: PriceRange,
): Series => {
  const market = shown ? toMarket(shown.base.address, shown.quote.address, network.wrappedNative) : null
  const { interval, intervalMs, count } = priceRanges[range]
  const { data, failure } = useRequest(
    market && `candles:${network.name}:${market.first}:${market.second}:${range}`,
    async (signal) => {
      const path = { chainId: network.name, pair: `${market?.first}-${market?.second}` }
      const query = { interval, count }
      return read(client.GET('/{chainId}/markets/{pair}/candles', { params: { path, query }, signal }))
    },
    refreshMs,
  )
  if (!shown) return { points: undefined, isUnavailable: false }
  const candles = data?.candles ?? (failure || !market ? none : undefined)
  const isInverted = toMarketToken(shown.base.address, network.wrappedNative) !== market?.first
  return {
    points: candles && toPriceSeries(candles, isInverted, (time) => Math.min(time + intervalMs, Date.now())),
    isUnavailable: failure !== null && !data,
  }
}
