import { z } from '@hono/zod-openapi'
import { addressSchema } from '../validation/chainValues.ts'

/** What a hook did in a settlement, mined or simulated. The trampoline skips a hook that fails, so the order is filled in any case. */
export const hookOutcomeSchema = z
  .object({
    phase: z.enum(['pre', 'post']),
    hook: z.number().int().nonnegative().openapi({ description: 'index in the phase, from 0', example: 0 }),
    target: addressSchema,
    outcome: z.enum(['succeeded', 'reverted', 'outOfGas', 'noCode']).openapi({
      description: 'noCode: nothing ran at the target. A hook that failed does not stop the trade',
      example: 'succeeded',
    }),
  })
  .openapi('HookOutcome')

export type HookOutcome = z.infer<typeof hookOutcomeSchema>
