import { z } from '@hono/zod-openapi'
import type { Earnings } from './computeEarnings.ts'
import { usdSchema } from './usdSchema.ts'

/** Common fields of the statistics of traders and affiliates. */
export const earningsFields = {
  trigger_volume: usdSchema('volume for one reward'),
  total_earned: usdSchema('share of all rewards so far'),
  paid_out: usdSchema('paid part of total_earned'),
  next_payout: usdSchema('unpaid part of total_earned'),
  lastUpdatedAt: z.iso.datetime().openapi({ description: 'time of the computation' }),
}

export const toEarningsFields = ({ triggerVolume, totalEarned, paidOut, nextPayout }: Earnings, computedAt: Date) => ({
  trigger_volume: triggerVolume,
  total_earned: totalEarned,
  paid_out: paidOut,
  next_payout: nextPayout,
  lastUpdatedAt: computedAt.toISOString(),
})
