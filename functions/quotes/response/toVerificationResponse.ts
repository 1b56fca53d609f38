import { z } from '@hono/zod-openapi'
import { hookOutcomeSchema } from '#shared/hooks/hookOutcome.ts'
import { amountTextSchema } from '#shared/validation/chainValues.ts'
import type { EstimateConfirmation } from '../verification/verifyEstimate.ts'

export const verificationResponseSchema = z
  .object({
    status: z.enum(['passed', 'skipped']),
    reason: z
      .enum(['timeout', 'nodeCannotSimulate', 'nodeUnavailable', 'fastQuote', 'balanceNotSimulated', 'unknownAppData'])
      .optional()
      .openapi({ description: 'why no simulation was possible' }),
    gasUsed: amountTextSchema.optional().openapi({ description: 'gas units of the whole settlement, measured' }),
    block: z.number().int().optional().openapi({ description: 'block of the simulation' }),
    hooks: z.array(hookOutcomeSchema).optional().openapi({
      description:
        'what each hook of the app data did in the simulation, in order; absent without hooks. One that fails does not stop the trade',
    }),
  })
  .openapi('Verification', {
    description: 'passed: a simulation of the quoted trade confirmed it; skipped: no simulation was possible',
  })

export const toVerificationResponse = (
  confirmation: EstimateConfirmation,
): z.infer<typeof verificationResponseSchema> =>
  confirmation.status === 'passed' ? { ...confirmation, gasUsed: confirmation.gasUsed.toString() } : confirmation
