import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { type PairTotals, selectPairTotals } from '#schema/queries/explorer/pairTotals.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cacheFor } from '#shared/cacheFor.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { chainParamSchema } from '#shared/networks/chainParam.ts'
import type { Network } from '#shared/networks.ts'
import { addressSchema, amountTextSchema } from '#shared/validation/chainValues.ts'

export type MarketsDeps = {
  /** throws when the network is not served */
  checkServed: (network: Network) => void
  /** Unix milliseconds */
  now: () => number
  databaseOf: (chainId: number) => Database
}

/** Milliseconds: the query reads a day of trades. */
const lifetimeMs = 60_000

const marketSchema = z
  .object({
    base: addressSchema.openapi({ description: 'the dearer token' }),
    quote: addressSchema,
    price: z.number().nullable().openapi({ description: 'whole quote tokens for a whole base token', example: 3012.5 }),
    change: z.number().nullable().openapi({ description: 'of the price in 24 hours: 0.01 is 1 %; null: not known' }),
    volume: amountTextSchema.openapi({ description: 'of the last 24 hours at proven prices, wei' }),
    trades: z.number().int().openapi({ description: 'of the last 24 hours' }),
  })
  .openapi('Market')

const getMarketsRoute = createRoute({
  ...endpoint('getMarkets'),
  tags: ['Markets'],
  summary: 'Pairs by volume',
  description:
    'The 50 pairs with the largest volume of the last 24 hours, the native token as its wrapped form, at most a minute old. ' +
    'Prices are ratios of the US dollar prices that candles have as well.',
  request: { params: z.object({ chainId: chainParamSchema }) },
  responses: {
    200: { description: 'the pairs', content: { 'application/json': { schema: z.array(marketSchema) } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      NotFound: 'the network is not served',
    }),
  },
})

/** `GET /{chainId}/markets`: computed at most once a minute per isolate and network. */
export const getMarkets = ({ checkServed, now, databaseOf }: MarketsDeps) => {
  const finders = new Map<number, () => Promise<PairTotals[]>>()
  const findTotals = (network: Network) => {
    const { chainId } = network
    const find = finders.get(chainId) ?? cacheFor(lifetimeMs, now, () => selectPairTotals(databaseOf(chainId), network))
    finders.set(chainId, find)
    return find()
  }
  return createApp(auxiliaryFormat).openapi(getMarketsRoute, async (c) => {
    const { chainId: network } = c.req.valid('param')
    checkServed(network)
    const totals = await findTotals(network)
    return c.json(totals.map(toMarket), 200, { 'Cache-Control': cachePolicies.statistics })
  })
}

const toMarket = ({ first, second, trades, volume, prices }: PairTotals) => {
  const price = divide(prices.first, prices.second)
  const before = divide(prices.firstBefore, prices.secondBefore)
  const isInverted = price !== null && price < 1
  const toShown = (ratio: number | null) => (ratio === null ? null : isInverted ? 1 / ratio : ratio)
  const [shown, shownBefore] = [toShown(price), toShown(before)]
  return {
    ...(isInverted ? { base: second, quote: first } : { base: first, quote: second }),
    price: shown,
    change: shown === null || shownBefore === null ? null : shown / shownBefore - 1,
    volume: volume.toString(),
    trades,
  }
}

const divide = (of: number | null, by: number | null): number | null => (of && by ? of / by : null)
