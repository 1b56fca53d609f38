import { z } from 'zod'
import type { SlippageBounds } from './computeSlippage.ts'

const bps = (byDefault: number) => z.coerce.number().int().min(0).max(10_000).default(byDefault)

/** Settings of how far prices may move: quotes and markets have to get the same ones. */
export const slippageSettings = {
  /** no price room is below or above these, … */
  SLIPPAGE_MIN_BPS: bps(5),
  SLIPPAGE_MAX_BPS: bps(2_000),
  /** … and this one when too little is known of a pair */
  SLIPPAGE_DEFAULT_BPS: bps(50),
}

type SlippageSettings = { [Name in keyof typeof slippageSettings]: number }

/** Adds an issue when the bounds exclude each other. */
export const readSlippageBounds = (env: SlippageSettings, context: z.RefinementCtx): SlippageBounds => {
  const { SLIPPAGE_MIN_BPS: minBps, SLIPPAGE_MAX_BPS: maxBps, SLIPPAGE_DEFAULT_BPS: defaultBps } = env
  if (minBps > maxBps) {
    context.addIssue({ code: 'custom', path: ['SLIPPAGE_MAX_BPS'], message: 'less than SLIPPAGE_MIN_BPS' })
  }
  return { minBps, maxBps, defaultBps }
}
