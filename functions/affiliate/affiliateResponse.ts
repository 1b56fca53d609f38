import { z } from '@hono/zod-openapi'
import type { Affiliate } from '#schema/queries/affiliate/affiliates.ts'

const percentSchema = z.number().min(0).max(100)

/** A wallet's code and the terms of its registration. */
export const affiliateSchema = z
  .object({
    code: z.string(),
    createdAt: z.iso.datetime(),
    rewardAmount: z.number().openapi({ description: 'US dollars per reached triggerVolume' }),
    triggerVolume: z.number().openapi({ description: 'US dollars of volume' }),
    timeCapDays: z.number().int().openapi({ description: "days for which a trader's volume counts" }),
    volumeCap: z.number().openapi({ description: 'US dollars of volume that count for one trader; 0: no limit' }),
    revenueSplitAffiliatePct: percentSchema,
    revenueSplitTraderPct: percentSchema,
    revenueSplitDaoPct: percentSchema,
  })
  .openapi('Affiliate')

export const toAffiliateResponse = (affiliate: Affiliate): z.output<typeof affiliateSchema> => ({
  code: affiliate.code,
  createdAt: affiliate.createdAt.toISOString(),
  rewardAmount: affiliate.rewardAmount,
  triggerVolume: affiliate.triggerVolume,
  timeCapDays: affiliate.timeCapDays,
  volumeCap: affiliate.volumeCap,
  revenueSplitAffiliatePct: affiliate.revenueSplitAffiliatePct,
  revenueSplitTraderPct: affiliate.revenueSplitTraderPct,
  revenueSplitDaoPct: affiliate.revenueSplitDaoPct,
})
