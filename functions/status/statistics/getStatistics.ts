import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { selectNetworkStatistics } from '#schema/queries/explorer/networkStatistics.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cacheFor } from '#shared/cacheFor.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { Network } from '#shared/networks.ts'
import { amountTextSchema } from '#shared/validation/chainValues.ts'

export type StatisticsDeps = {
  /** Unix milliseconds */
  now: () => number
  database: Database
  network: Network
}

/** Milliseconds: the query reads a week of trades. */
export const statisticsMs = 60_000

const count = z.number().int().nonnegative()

const totalsSchema = z
  .object({
    orders: count.openapi({ description: 'placed orders, without `presign` orders that have no pre-signature' }),
    trades: count,
    valuedTrades: count.openapi({ description: 'trades whose volume is known' }),
    traders: count.openapi({ description: 'accounts with a trade' }),
    volume: amountTextSchema.openapi({
      description: "the smaller side of each trade at its auction's proven prices, wei",
    }),
    volumeUsd: z.number().nullable().openapi({
      description:
        'the same in US dollars, at the price of the native token nearest to each hour; null without a known price or without a trade',
    }),
    surplus: z.string().openapi({ description: "gain over the limit prices at the auctions' prices, wei" }),
  })
  .openapi('NetworkTotals')

const statisticsSchema = z.object({ day: totalsSchema, week: totalsSchema }).openapi('NetworkStatistics')

const getStatisticsRoute = createRoute({
  ...endpoint('getStatistics'),
  tags: ['Service'],
  summary: 'Volume, surplus and activity of a network',
  description:
    'Totals of the last 24 hours and the last seven days, at most a minute old. Volume and surplus are sums over ' +
    '`explorer/trades`.',
  responses: {
    200: { description: 'the totals', content: { 'application/json': { schema: statisticsSchema } } },
    ...errorResponses('InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/explorer/statistics`: computed at most once a minute per isolate. */
export const getStatistics = ({ database, network, now }: StatisticsDeps) => {
  const findStatistics = cacheFor(statisticsMs, now, () => selectNetworkStatistics(database, network))
  return createApp().openapi(getStatisticsRoute, async (c) =>
    c.json(await findStatistics(), 200, { 'Cache-Control': cachePolicies.statistics }),
  )
}
