import { z } from '@hono/zod-openapi'
import type { Executable } from '#shared/orders/verdict/verdictFacts.ts'
import { amountTextSchema } from '#shared/validation/chainValues.ts'

export const fillableNowSchema = z
  .object({ sellAmount: amountTextSchema, buyAmount: amountTextSchema })
  .nullable()
  .openapi({
    description:
      'what solvers would settle now, all fees included: the rest, or of a partially fillable order the part that balance, ' +
      'allowance and liquidity allow, of which solvers settle at least a third first where less sells at a better price; ' +
      'zero while a check fails; null: no executable price is known',
    example: { sellAmount: '1000000000000000000', buyAmount: '2950000000' },
  })

export type FillableNow = z.output<typeof fillableNowSchema>

/** @param isFillable whether no check fails */
export const computeFillableNow = (isFillable: boolean, executable: Executable | undefined): FillableNow => {
  if (!isFillable) return { sellAmount: '0', buyAmount: '0' }
  if (!executable || !('sellAmount' in executable)) return null
  return { sellAmount: executable.sellAmount.toString(), buyAmount: executable.buyAmount.toString() }
}
