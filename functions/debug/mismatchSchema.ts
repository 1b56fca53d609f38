import { z } from '@hono/zod-openapi'
import { amountTextSchema } from '#shared/validation/amount.ts'

const amountsSchema = z.object({ sellAmount: amountTextSchema, buyAmount: amountTextSchema })

/** What a settlement did other than its solution promised. */
export const mismatchSchema = z
  .array(
    z.object({
      orderUid: z.string(),
      promised: amountsSchema.nullable().openapi({ description: 'null: the solution did not have the order' }),
      settled: amountsSchema,
    }),
  )
  .openapi({ description: 'orders that got less than the solution promised, 100 at most; absent without any' })
