import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import { selectTradeCandles } from '#schema/queries/explorer/candles.ts'
import { selectPriceRatios } from '#schema/queries/markets/priceSamples.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { type Network, wrapToken } from '#shared/networks.ts'
import type { FindToken } from '#shared/tokens/tokenWords.ts'
import { amountTextSchema } from '#shared/validation/chainValues.ts'
import { marketParamsSchema } from '../slippage/marketPair.ts'
import { toMarketTokens } from '../slippage/marketTokens.ts'
import { computeCandles } from './computeCandles.ts'

export type CandlesDeps = {
  /** throws when the network is not served */
  checkServed: (network: Network) => void
  /** Unix milliseconds */
  now: () => number
  findTokens: (network: Network, tokens: readonly Address[]) => Promise<FindToken>
  databaseOf: (chainId: number) => Database
}

/** Seconds of each interval and the most candles of a response: a query reads the trades of that time. */
const intervals = {
  '5m': { seconds: 300, most: 288 },
  '1h': { seconds: 3_600, most: 336 },
  '1d': { seconds: 86_400, most: 90 },
} as const

const mostCandles = Object.entries(intervals)
  .map(([name, { most }]) => `${name}: ${most}`)
  .join(', ')

const querySchema = z.object({
  interval: z.enum(['5m', '1h', '1d']).default('1h').openapi({ example: '1h' }),
  count: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, `an integer from 1, at most ${mostCandles}`)
    .transform(Number)
    .default(72)
    .openapi({
      ...{ type: 'integer', minimum: 1, maximum: 336, default: 72, example: 24 },
      description: `intervals until now, the running one included; at most ${mostCandles}`,
    }),
})

const price = z.number().openapi({ description: 'whole second tokens for one whole first token', example: 3012.5 })
const sampledPrice = price.nullable()

const candlesSchema = z
  .object({
    interval: z.enum(['5m', '1h', '1d']),
    since: z.iso.datetime().openapi({ description: 'start of the first interval' }),
    candles: z
      .array(
        z.object({
          time: z.iso.datetime().openapi({ description: 'start of the interval, UTC' }),
          source: z.enum(['trades', 'samples']).openapi({
            description: 'trades: no sample of both tokens in this interval, so open, high, low and close are null',
          }),
          open: sampledPrice,
          high: sampledPrice,
          low: sampledPrice,
          close: sampledPrice,
          fills: z
            .object({ open: price, high: price, low: price, close: price })
            .nullable()
            .openapi({ description: 'execution prices of the trades, fees included; null without a trade' }),
          baseVolume: amountTextSchema.openapi({ description: 'traded atoms of the first token' }),
          quoteVolume: amountTextSchema.openapi({ description: 'traded atoms of the second token' }),
          trades: z.number().int().nonnegative(),
        }),
      )
      .openapi({ description: 'oldest first; intervals without a trade and without samples are absent' }),
  })
  .openapi('Candles')

const getCandlesRoute = createRoute({
  ...endpoint('getCandles'),
  tags: ['Markets'],
  summary: 'Price candles of a pair',
  description:
    'Prices of a pair, and the trades of this service in either direction. A price is the ratio of the US dollar prices of both ' +
    'tokens, sampled every five minutes: each sample of two days, then one of an hour, after two weeks one of a day for 90 days. ' +
    'Execution prices are apart in `fills`; no value is carried forward or interpolated. The native token and its wrapped form are one market.',
  request: { params: marketParamsSchema, query: querySchema },
  responses: {
    200: { description: 'the candles', content: { 'application/json': { schema: candlesSchema } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      NotFound: 'the network is not served, or the decimals of a token are unknown',
    }),
  },
})

/** `GET /{chainId}/markets/{base}-{quote}/candles` */
export const getCandles = (deps: CandlesDeps) =>
  createApp(auxiliaryFormat).openapi(getCandlesRoute, async (c) => {
    const { chainId: network, pair } = c.req.valid('param')
    const { interval, count } = c.req.valid('query')
    const { seconds, most } = intervals[interval]
    deps.checkServed(network)
    if (count > most) {
      throw new ApiError('InvalidParameter', {
        description: `count must be at most ${most} for ${interval}`,
        data: { field: 'count', maximum: most },
      })
    }
    const { wrappedNative } = network
    const [base, quote] = [wrapToken(pair.base, wrappedNative), wrapToken(pair.quote, wrappedNative)]
    const since = (Math.floor(deps.now() / 1_000 / seconds) - count + 1) * seconds
    const database = deps.databaseOf(network.chainId)
    const [find, traded, ratios] = await Promise.all([
      deps.findTokens(network, [base, quote]),
      selectTradeCandles(database, network.chainId, {
        ...{ interval: seconds, since },
        ...{ base: toMarketTokens(network, base), quote: toMarketTokens(network, quote) },
      }),
      selectPriceRatios(database, network.chainId, { base, quote, since }),
    ])
    const scale = 10 ** (toDecimals(find, base) - toDecimals(find, quote))
    const candles = computeCandles(traded, ratios, { scale, interval: seconds })
    const body = { interval, since: toIso(since), candles: candles.map(toResponse) }
    return c.json(body, 200, { 'Cache-Control': cachePolicies.candles })
  })

const toDecimals = (find: FindToken, address: Address): number => {
  const decimals = find(address)?.decimals
  if (decimals === undefined) throw new ApiError('NotFound', { description: `the decimals of ${address} are unknown` })
  return decimals
}

const toIso = (time: number): string => new Date(time * 1_000).toISOString()

const toResponse = ({ time, baseVolume, quoteVolume, ...candle }: ReturnType<typeof computeCandles>[number]) => ({
  ...candle,
  time: toIso(time),
  baseVolume: baseVolume.toString(),
  quoteVolume: quoteVolume.toString(),
})
