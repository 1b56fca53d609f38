import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { selectAffiliateByCode } from '#schema/queries/affiliate/affiliates.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { affiliateCodeSchema } from '#shared/validation/affiliateCode.ts'
import { computeRewardShare } from './computeEarnings.ts'

const refCodeSchema = z
  .object({
    code: z.string(),
    traderRewardAmount: z.number().openapi({ description: "US dollars, the trader's share of a reward" }),
    triggerVolume: z.number().openapi({ description: 'US dollars of volume for one reward' }),
    timeCapDays: z.number().int(),
    volumeCap: z.number().openapi({ description: 'US dollars; 0: no limit' }),
  })
  .openapi('RefCode')

const getRefCodeRoute = createRoute({
  ...endpoint('getRefCode'),
  tags: ['Affiliates'],
  summary: 'Terms of an affiliate code for traders',
  description: 'The response does not contain the owner of the code.',
  request: { params: z.object({ code: affiliateCodeSchema }) },
  responses: {
    200: { description: 'the terms', content: { 'application/json': { schema: refCodeSchema } } },
    ...messageResponses(['Forbidden', 'InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      Forbidden: '`Affiliate code disabled`',
      NotFound: '`Affiliate code not found`',
    }),
  },
})

/** `GET /ref-codes/{code}` */
export const getRefCode = (findDatabase: () => Database) =>
  createApp(auxiliaryFormat).openapi(getRefCodeRoute, async (c) => {
    const affiliate = await selectAffiliateByCode(findDatabase(), c.req.valid('param').code)
    if (!affiliate) throw new ApiError('NotFound', { description: 'Affiliate code not found' })
    if (affiliate.disabledAt && affiliate.disabledAt <= new Date())
      throw new ApiError('Forbidden', { description: 'Affiliate code disabled' })
    const { code, rewardAmount, revenueSplitTraderPct: sharePct, triggerVolume, timeCapDays, volumeCap } = affiliate
    const traderRewardAmount = computeRewardShare({ rewardAmount, sharePct })
    return c.json({ code, traderRewardAmount, triggerVolume, timeCapDays, volumeCap }, 200)
  })
