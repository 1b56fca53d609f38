import { z } from '@hono/zod-openapi'

export const winStatusSchema = z.enum(['running', 'settled', 'mismatched', 'reverted', 'timedOut']).openapi({
  description:
    'mismatched: settled for less than promised; reverted: its solver reported a failure; timedOut: not settled by the deadline',
})

/** @param outcome as in `settlement_attempts` */
export const toWinStatus = (outcome: string | null): z.output<typeof winStatusSchema> => {
  if (outcome === null) return 'running'
  if (outcome === 'success') return 'settled'
  if (outcome === 'mismatch') return 'mismatched'
  return outcome === 'timeout' ? 'timedOut' : 'reverted'
}
