import { z } from '@hono/zod-openapi'
import { buildOnce } from '#shared/buildOnce.ts'
import { ApiError, type JsonObject } from '#shared/http/errors.ts'
import { orderCreationSchema } from '#shared/orders/orderCreation.ts'
import { verdictChecks } from '#shared/orders/verdict/finding.ts'
import { bytesSchema, orderUidSchema } from '#shared/validation/hex.ts'

/** Checks in their order: the draft itself, then the verdict. */
export const checkNames = ['shape', 'appData', ...verdictChecks] as const

export type CheckName = (typeof checkNames)[number]

/** Result of one check. `reason`: why it failed or was skipped; `evidence`: the facts, amounts in atoms. */
export type Check = {
  check: CheckName
  status: 'pass' | 'fail' | 'skipped'
  reason?: string
  evidence: JsonObject
}

const pass = (check: CheckName, evidence: JsonObject = {}): Check => ({ check, status: 'pass', evidence })
export const failCheck = (check: CheckName, reason: string, evidence: JsonObject = {}): Check => ({
  check,
  status: 'fail',
  reason,
  evidence,
})
export const skipCheck = (check: CheckName, reason: string, evidence: JsonObject = {}): Check => ({
  check,
  status: 'skipped',
  reason,
  evidence,
})

/** A placement rule as a check: its error type is the reason, its error data the evidence. */
export const toCheck = (check: CheckName, rule: () => JsonObject | undefined): Check => {
  try {
    return pass(check, rule())
  } catch (error) {
    if (error instanceof ApiError) return failCheck(check, error.errorType, error.data)
    throw error
  }
}

/**
 * Body of POST orders/simulate: an order as POST orders takes it, signed or not. `omit` makes a schema of its own in the
 * document: an extended one would require the signature.
 */
export const orderDraftSchema = buildOnce(() =>
  orderCreationSchema
    .omit({ signingScheme: true, signature: true })
    .extend({
      signingScheme: z
        .enum(['eip712', 'ethsign', 'presign', 'eip1271'], { error: 'one of eip712, ethsign, presign, eip1271' })
        .default('eip712'),
      signature: bytesSchema(8_192)
        .optional()
        .openapi({ description: 'without it the order is checked as if it were signed' }),
    })
    .openapi('OrderDraft'),
)

export type OrderDraft = z.output<ReturnType<typeof orderDraftSchema>>

export const dryRunSchema = buildOnce(() =>
  z
    .object({
      fillable: z.boolean().openapi({ description: 'whether no check failed; skipped checks are ignored' }),
      orderUid: orderUidSchema.nullable().openapi({ description: 'null: the owner is unknown' }),
      block: z
        .number()
        .int()
        .nullable()
        .openapi({ description: 'block of the simulation; null: the chain was not read' }),
      checks: z.array(
        z.object({
          check: z.enum(checkNames).openapi({ description: 'further checks may be added' }),
          status: z.enum(['pass', 'fail', 'skipped']),
          reason: z.string().optional().openapi({
            description: 'why it failed, usually the errorType that POST orders would return; or why it was skipped',
          }),
          evidence: z
            .record(z.string(), z.unknown())
            .openapi({ description: 'the facts: amounts in atoms, prices in buy token atoms per sell token atom' }),
        }),
      ),
    })
    .openapi('DryRun'),
)

export type DryRun = z.output<ReturnType<typeof dryRunSchema>>
