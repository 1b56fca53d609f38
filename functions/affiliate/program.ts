import { z } from 'zod'

/** Shares that miss the whole by less are taken for it. */
const splitTolerance = 0.01

/** Statistics compute with no more. */
const maxDollars = 1e12
const maxDays = 36_500

const percentSchema = z.number().min(0).max(100)

/** The terms of the affiliate program; a code keeps those of the day it was registered. */
const termsSchema = z
  .object({
    /** US dollars for each `triggerVolume` that is reached */
    rewardAmount: z.number().positive().max(maxDollars).default(20),
    /** US dollars of volume */
    triggerVolume: z.number().min(0.01).max(maxDollars).default(250_000),
    /** days for which a trader's volume counts */
    timeCapDays: z.number().int().positive().max(maxDays).default(90),
    /** US dollars of volume that count for one trader; 0: no limit */
    volumeCap: z.number().min(0).max(maxDollars).default(0),
    revenueSplitAffiliatePct: percentSchema.default(50),
    revenueSplitTraderPct: percentSchema.default(50),
    revenueSplitDaoPct: percentSchema.default(0),
  })
  .refine(
    ({ revenueSplitAffiliatePct, revenueSplitTraderPct, revenueSplitDaoPct }) =>
      Math.abs(revenueSplitAffiliatePct + revenueSplitTraderPct + revenueSplitDaoPct - 100) < splitTolerance,
    'the revenue splits must be 100 together',
  )

export type ProgramTerms = z.output<typeof termsSchema>

/** The setting `AFFILIATE_PROGRAM`: JSON with the terms that differ from the defaults. */
export const programSchema = z
  .string()
  .default('{}')
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'not valid JSON' })
      return z.NEVER
    }
  })
  .pipe(termsSchema)
