import { z } from '@hono/zod-openapi'
import { fundingSchema } from '#shared/funding/fundingSchema.ts'
import { orderCreationSchema } from '#shared/orders/orderCreation.ts'
import { bytesSchema, orderUidSchema } from '#shared/validation/chainValues.ts'
import { checkNames } from './check.ts'
import { fillableNowSchema } from './fillableNow.ts'

/**
 * Body of POST orders/simulate: an order as POST orders takes it, signed or not. `omit` makes a schema of its own in the
 * document: an extended one would require the signature.
 */
export const orderDraftSchema = orderCreationSchema
  .omit({ signingScheme: true, signature: true })
  .extend({
    signingScheme: z
      .enum(['eip712', 'ethsign', 'presign', 'eip1271'], { error: 'one of eip712, ethsign, presign, eip1271' })
      .default('eip712'),
    signature: bytesSchema(8_192)
      .optional()
      .openapi({ description: 'without it the order is checked as if it were signed' }),
  })
  .openapi('OrderDraft')

export type OrderDraft = z.output<typeof orderDraftSchema>

export const dryRunSchema = z
  .object({
    fillable: z.boolean().openapi({ description: 'whether no check failed; skipped checks are ignored' }),
    fillableNow: fillableNowSchema,
    orderUid: orderUidSchema.nullable().openapi({ description: 'null: the owner is unknown' }),
    block: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'block of the simulation; null: the chain was not read' }),
    funding: fundingSchema.nullable(),
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
  .openapi('DryRun')

export type DryRun = z.output<typeof dryRunSchema>
