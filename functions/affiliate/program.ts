import { z } from 'zod'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'

/** Tolerance for the sum of the shares, percent. */
const splitTolerance = 0.01

/** Bounds of the amounts in statistics. */
const maxDollars = 1e12
const maxDays = 36_500

const percentSchema = z.number().min(0).max(100)

/** The terms of the affiliate program; a code has the terms of its registration. */
const termsSchema = z
  .object({
    /** US dollars per reached `triggerVolume` */
    rewardAmount: z.number().positive().max(maxDollars).default(20),
    /** US dollars of volume */
    triggerVolume: z.number().min(0.01).max(maxDollars).default(250_000),
    /** days for which a trader's volume counts */
    timeCapDays: z.number().int().positive().max(maxDays).default(90),
    /** US dollars of volume that count for one trader; 0: no limit */
    volumeCap: z.number().min(0).max(maxDollars).default(2_500_000),
    revenueSplitAffiliatePct: percentSchema.default(50),
    revenueSplitTraderPct: percentSchema.default(50),
    revenueSplitDaoPct: percentSchema.default(0),
  })
  .refine(
    ({ revenueSplitAffiliatePct, revenueSplitTraderPct, revenueSplitDaoPct }) =>
      Math.abs(revenueSplitAffiliatePct + revenueSplitTraderPct + revenueSplitDaoPct - 100) < splitTolerance,
    'the revenue splits must sum to 100',
  )

export type ProgramTerms = z.output<typeof termsSchema>

/** The setting `AFFILIATE_PROGRAM`: JSON with the terms that differ from the defaults. */
export const programSchema = jsonTextSchema.pipe(termsSchema)
