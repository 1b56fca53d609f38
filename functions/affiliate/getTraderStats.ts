import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { selectTraderStatistics } from '#schema/queries/affiliate/affiliateStatistics.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import { computeEarnings, toDollars } from './computeEarnings.ts'
import { earningsFields, toEarningsFields } from './earningsFields.ts'
import { usdSchema } from './usdSchema.ts'

const dayMs = 86_400_000

const traderStatsSchema = z
  .object({
    trader_address: addressSchema,
    bound_referrer_code: z.string(),
    linked_since: z.iso.datetime().openapi({ description: 'settlement time of the first trade with the code' }),
    rewards_end: z.iso.datetime().openapi({ description: 'trades up to this time are eligible' }),
    eligible_volume: usdSchema('eligible volume'),
    left_to_next_rewards: usdSchema('volume missing to the next reward'),
    ...earningsFields,
  })
  .openapi('TraderStats')

const getTraderStatsRoute = createRoute({
  ...endpoint('getTraderStats'),
  tags: ['Affiliates'],
  summary: 'Statistics of a referred trader',
  description:
    'A trader is bound to the code of the first trade, if it had one. Covers the trades on all networks of this deployment.',
  request: { params: z.object({ address: addressSchema }) },
  responses: {
    200: { description: 'the statistics', content: { 'application/json': { schema: traderStatsSchema } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      NotFound: '`Trader stats not found`: the trader is not bound to a code',
    }),
  },
})

/** `GET /affiliate/trader-stats/{address}` */
export const getTraderStats = (findDatabase: () => Database) =>
  createApp(auxiliaryFormat).openapi(getTraderStatsRoute, async (c) => {
    const { address } = c.req.valid('param')
    const found = await selectTraderStatistics(findDatabase(), address)
    if (!found) throw new ApiError('NotFound', { description: 'Trader stats not found' })
    const { affiliate, linkedSince, volume, paid, computedAt } = found
    const earnings = computeEarnings({ ...affiliate, sharePct: affiliate.revenueSplitTraderPct }, volume, paid)
    const rewardsEnd = new Date(linkedSince.getTime() + affiliate.timeCapDays * dayMs)
    c.header('Cache-Control', cachePolicies.statistics)
    return c.json(
      {
        trader_address: address,
        bound_referrer_code: affiliate.code,
        linked_since: linkedSince.toISOString(),
        rewards_end: rewardsEnd.toISOString(),
        eligible_volume: toDollars(volume),
        left_to_next_rewards: earnings.leftToNextReward,
        ...toEarningsFields(earnings, computedAt),
      },
      200,
    )
  })
