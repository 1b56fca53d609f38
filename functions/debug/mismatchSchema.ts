import { z } from '@hono/zod-openapi'
import { amountTextSchema } from '#shared/validation/chainValues.ts'

const amountsSchema = z.object({ sellAmount: amountTextSchema, buyAmount: amountTextSchema })

/** Differences between a settlement and its solution. */
export const mismatchSchema = z
  .array(
    z.object({
      orderUid: z.string(),
      promised: amountsSchema.nullable().openapi({ description: 'null: the solution did not include the order' }),
      settled: amountsSchema,
    }),
  )
  .openapi({
    description: 'orders that received less than the solution promised, at most 100; absent if there are none',
  })
