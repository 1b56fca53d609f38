import { z } from '@hono/zod-openapi'
import { amountTextSchema, orderUidSchema } from '#shared/validation/chainValues.ts'

const amountsSchema = z.object({ sellAmount: amountTextSchema, buyAmount: amountTextSchema })

/** Differences between a settlement and its solution. */
export const mismatchSchema = z
  .array(
    z.object({
      orderUid: z.string(),
      promised: amountsSchema.nullable().openapi({ description: 'null: the solution did not include the order' }),
      settled: amountsSchema,
      debt: amountTextSchema
        .optional()
        .openapi({ description: 'value of the difference at the prices of the auction, wei' }),
    }),
  )
  .openapi({
    description: 'orders that received less than the solution promised, at most 100; absent if there are none',
  })

/** Cause of a failed settlement. */
export const blameSchema = z
  .object({
    party: z.enum(['solver', 'orders', 'none']),
    orders: z
      .array(orderUidSchema)
      .openapi({ description: 'those that wait: they fail alone, or the cause is unknown' }),
    reason: z.string(),
    movedBlocks: z.int().optional().openapi({
      description: 'reverted only behind other transactions of its block: blocks for which the solver held the orders',
    }),
    debt: amountTextSchema.optional().openapi({
      description: 'of a mismatch: value at the prices of the auction that the orders received less than promised, wei',
    }),
  })
  .openapi({ description: 'cause of a failure; absent: none, or not yet attributed' })
