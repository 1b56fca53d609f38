import { z } from 'zod'
import { setting } from '../settings/setting.ts'
import type { SlippageBounds } from './computeSlippage.ts'

const bps = z.coerce.number().int().min(0).max(10_000)

/** Settings of the room for price changes. Quotes and markets must have the same values. */
export const slippageSettings = {
  SLIPPAGE_MIN_BPS: setting(bps, {
    description: 'smallest returned slippage',
    scope: 'shared',
    unit: 'bps',
    default: '5',
  }),
  SLIPPAGE_MAX_BPS: setting(bps, {
    description: 'largest returned slippage',
    scope: 'shared',
    unit: 'bps',
    default: '2000',
  }),
  SLIPPAGE_DEFAULT_BPS: setting(bps, {
    description: 'slippage of a pair with too few price samples',
    scope: 'shared',
    unit: 'bps',
    default: '50',
  }),
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
