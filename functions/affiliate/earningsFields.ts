import { z } from '@hono/zod-openapi'
import type { Earnings } from './computeEarnings.ts'
import { usdSchema } from './usdSchema.ts'

/** What the statistics of a trader and those of an affiliate have in common. */
export const earningsFields = {
  trigger_volume: usdSchema('volume for one reward'),
  total_earned: usdSchema('the share in all rewards so far'),
  paid_out: usdSchema('the part of total_earned that was paid already'),
  next_payout: usdSchema('what is still to be paid'),
  lastUpdatedAt: z.iso.datetime().openapi({ description: 'when this was computed' }),
}

export const toEarningsFields = ({ triggerVolume, totalEarned, paidOut, nextPayout }: Earnings, computedAt: Date) => ({
  trigger_volume: triggerVolume,
  total_earned: totalEarned,
  paid_out: paidOut,
  next_payout: nextPayout,
  lastUpdatedAt: computedAt.toISOString(),
})
