import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { selectAffiliateStatistics } from '#schema/queries/affiliate/affiliateStatistics.ts'
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

const affiliateStatsSchema = z
  .object({
    affiliate_address: addressSchema,
    referrer_code: z.string(),
    total_volume: usdSchema('eligible volume of all traders'),
    left_to_next_reward: usdSchema('volume missing to the next reward'),
    active_traders: z.number().int().openapi({ description: 'bound traders whose next trade would be eligible' }),
    total_traders: z.number().int().openapi({ description: 'traders with an eligible trade' }),
    ...earningsFields,
  })
  .openapi('AffiliateStats')

const getAffiliateStatsRoute = createRoute({
  ...endpoint('getAffiliateStats'),
  tags: ['Affiliates'],
  summary: 'Statistics of an affiliate',
  description: 'Covers the trades on all networks of this deployment.',
  request: { params: z.object({ address: addressSchema }) },
  responses: {
    200: {
      description: 'the statistics',
      content: { 'application/json': { schema: affiliateStatsSchema } },
    },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      NotFound: '`Affiliate stats not found`: the wallet has no code',
    }),
  },
})

/** `GET /affiliate/affiliate-stats/{address}` */
export const getAffiliateStats = (findDatabase: () => Database) =>
  createApp(auxiliaryFormat).openapi(getAffiliateStatsRoute, async (c) => {
    const { address } = c.req.valid('param')
    const found = await selectAffiliateStatistics(findDatabase(), address)
    if (!found) throw new ApiError('NotFound', { description: 'Affiliate stats not found' })
    const { affiliate, volume, paid, activeTraders, totalTraders, computedAt } = found
    const earnings = computeEarnings({ ...affiliate, sharePct: affiliate.revenueSplitAffiliatePct }, volume, paid)
    c.header('Cache-Control', cachePolicies.statistics)
    return c.json(
      {
        affiliate_address: address,
        referrer_code: affiliate.code,
        total_volume: toDollars(volume),
        left_to_next_reward: earnings.leftToNextReward,
        active_traders: activeTraders,
        total_traders: totalTraders,
        ...toEarningsFields(earnings, computedAt),
      },
      200,
    )
  })
