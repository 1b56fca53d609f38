import { z } from '@hono/zod-openapi'
import { amountTextSchema } from '#shared/validation/amount.ts'
import type { Verification } from './verifyEstimate.ts'

export const verificationResponseSchema = z
  .object({
    status: z.enum(['passed', 'failed', 'skipped']),
    reason: z
      .enum([
        'settlementReverts',
        'receivesTooLittle',
        'usesContractFunds',
        'timeout',
        'nodeCannotSimulate',
        'nodeUnavailable',
        'fastQuote',
        'balanceNotSimulated',
      ])
      .optional()
      .openapi({ description: 'why it failed or was skipped' }),
    detail: z.string().optional().openapi({ description: 'what the revert says' }),
    shortfall: z
      .object({ token: z.string(), amount: amountTextSchema })
      .optional()
      .openapi({ description: 'what is missing, in atoms' }),
    gasUsed: amountTextSchema.optional().openapi({ description: 'gas units of the whole settlement, measured' }),
    block: z.number().int().optional().openapi({ description: 'the block that the simulation ran in' }),
  })
  .openapi('Verification', { description: 'what a simulation of the quoted trade showed' })

export const toVerificationResponse = (verification: Verification): z.infer<typeof verificationResponseSchema> => {
  if (verification.status === 'passed') return { ...verification, gasUsed: verification.gasUsed.toString() }
  if (verification.status === 'skipped') return verification
  const { shortfall, ...rest } = verification
  return shortfall ? { ...rest, shortfall: { ...shortfall, amount: shortfall.amount.toString() } } : rest
}
