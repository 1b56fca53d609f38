import type { Address } from 'viem'
import { z } from 'zod'
import { addressSchema, amountSchema } from '../validation/chainValues.ts'

/** Reference of an order's price improvement: the quote that it was placed with, atoms, `fee` in the sell token. */
export type QuotedAmounts = { sellAmount: bigint; buyAmount: bigint; fee: bigint }

/**
 * One fee that an order pays in a settlement. Factors are shares from 0 to below 1 of the amounts before this fee:
 * of the traded volume, of the gain over the signed limit, or of the gain over the quote. `maxVolumeFactor` bounds the
 * latter two by a share of the volume.
 */
export type FeePolicy =
  | { kind: 'volume'; factor: number }
  | { kind: 'surplus'; factor: number; maxVolumeFactor: number }
  | { kind: 'priceImprovement'; factor: number; maxVolumeFactor: number; quote: QuotedAmounts }

const factorSchema = z.number().min(0).lt(1)

/** A fee policy in the format of the driver API, tagged by its key: `{ "volume": { "factor": 0.01 } }`. */
export const feePolicySchema = z.union([
  z
    .object({ surplus: z.object({ factor: factorSchema, maxVolumeFactor: factorSchema }) })
    .transform(({ surplus }): FeePolicy => ({ kind: 'surplus', ...surplus })),
  z
    .object({ volume: z.object({ factor: factorSchema }) })
    .transform(({ volume }): FeePolicy => ({ kind: 'volume', ...volume })),
  z
    .object({
      priceImprovement: z.object({
        factor: factorSchema,
        maxVolumeFactor: factorSchema,
        /** `solver` is required by drivers of the public system */
        quote: z
          .object({
            ...{ sellAmount: amountSchema(), buyAmount: amountSchema(), fee: amountSchema() },
            solver: addressSchema.optional(),
          })
          .transform(({ solver: _, ...quote }): QuotedAmounts => quote),
      }),
    })
    .transform(({ priceImprovement }): FeePolicy => ({ kind: 'priceImprovement', ...priceImprovement })),
])

/**
 * Encodes a policy for a solver; the inverse of `feePolicySchema`.
 * @param solver of the order's quote
 */
export const toFeePolicyBody = (policy: FeePolicy, solver: Address): z.input<typeof feePolicySchema> => {
  if (policy.kind === 'volume') return { volume: { factor: policy.factor } }
  const { factor, maxVolumeFactor } = policy
  if (policy.kind === 'surplus') return { surplus: { factor, maxVolumeFactor } }
  const { sellAmount, buyAmount, fee } = policy.quote
  const quote = { sellAmount: sellAmount.toString(), buyAmount: buyAmount.toString(), fee: fee.toString(), solver }
  return { priceImprovement: { factor, maxVolumeFactor, quote } }
}
