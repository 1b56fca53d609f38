import { z } from 'zod'
import { addressSchema, orderUidSchema } from '#shared/validation/chainValues.ts'

const uint = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
const share = z.number().nullable()

/** One line of an archive object, written by the database: what leaves it when a competition is archived. */
export const archivedCompetitionSchema = z.object({
  id: z.number().int(),
  /** token address → decimal string, wei per 10¹⁸ atoms */
  prices: z.record(z.string(), z.string()),
  leftOut: z.array(
    z.object({ solver: z.string(), kind: z.enum(['suspended', 'yielded', 'rejected', 'failed']), reason: z.string() }),
  ),
  /** in the order of the ranking */
  solutions: z.array(
    z.object({
      uid: z.number().int(),
      solver: addressSchema,
      isWinner: z.boolean(),
      filteredOut: z.boolean(),
      score: uint,
      referenceScore: uint.nullable(),
    }),
  ),
  orders: z.array(
    z.object({
      solutionUid: z.number().int(),
      orderUid: orderUidSchema,
      sellToken: addressSchema,
      buyToken: addressSchema,
      executedSell: uint,
      executedBuy: uint,
    }),
  ),
  feePolicies: z.array(
    z.object({
      orderUid: orderUidSchema,
      kind: z.enum(['surplus', 'volume', 'priceImprovement']),
      surplusFactor: share,
      surplusMaxVolumeFactor: share,
      volumeFactor: share,
      priceImprovementFactor: share,
      priceImprovementMaxVolumeFactor: share,
    }),
  ),
})

export type ArchivedCompetition = z.output<typeof archivedCompetitionSchema>
