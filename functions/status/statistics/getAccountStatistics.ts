import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { maxCounted, selectAccountStatistics } from '#schema/queries/explorer/accountStatistics.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { Network } from '#shared/networks.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { addressSchema, amountTextSchema } from '#shared/validation/chainValues.ts'

export type AccountStatisticsDeps = {
  /** Unix milliseconds */
  now: () => number
  database: Database
  network: Network
}

const count = z.number().int().nonnegative()
const dollars = (description: string) =>
  z
    .number()
    .nullable()
    .openapi({
      description: `${description} in US dollars, at the price of the native token nearest to the hour of each trade; null without a known price or without a valued trade`,
    })
const isComplete = (what: string) =>
  z.boolean().openapi({ description: `false: only the newest ${maxCounted} ${what} are included` })

const statisticsSchema = z
  .object({
    orders: z.object({
      open: count,
      fulfilled: count,
      cancelled: count,
      expired: count,
      presignaturePending: count.openapi({ description: 'placed on-chain and not signed yet' }),
      partiallyFilled: count.openapi({ description: 'traded, but not to the end; included in the states as well' }),
      isComplete: isComplete('orders'),
    }),
    trades: z.object({
      count,
      valued: count.openapi({ description: 'trades whose volume is known' }),
      volume: amountTextSchema.openapi({
        description: "the smaller side of each trade at its auction's proven prices, wei",
      }),
      volumeUsd: dollars('the volume'),
      surplus: z.string().openapi({ description: "gain over the limit prices at the auctions' prices, wei" }),
      surplusUsd: dollars('the surplus'),
      isComplete: isComplete('trades'),
    }),
  })
  .openapi('AccountStatistics')

const getAccountStatisticsRoute = createRoute({
  ...endpoint('getAccountStatistics'),
  tags: ['Orders'],
  summary: 'Totals of an account',
  description:
    `Orders by state, volume and surplus of one account, over its newest ${maxCounted} orders and its newest ${maxCounted} ` +
    'trades; may be some minutes old. Without `presign` orders that have no pre-signature: anyone can submit one for any owner.',
  request: { params: z.object({ account: addressSchema }) },
  responses: {
    200: { description: 'the totals', content: { 'application/json': { schema: statisticsSchema } } },
    ...errorResponses('InvalidParameter', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/explorer/accounts/{account}/statistics` */
export const getAccountStatistics = (deps: AccountStatisticsDeps) =>
  createApp().openapi(getAccountStatisticsRoute, async (c) => {
    const { account } = c.req.valid('param')
    const now = toUnixSeconds(deps.now())
    const statistics = await selectAccountStatistics(deps.database, deps.network, account, now)
    return c.json(statistics, 200, { 'Cache-Control': cachePolicies.statistics })
  })
