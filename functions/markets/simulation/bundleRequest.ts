import { z } from '@hono/zod-openapi'
import { addressSchema, amountSchema, bytesSchema } from '#shared/validation/chainValues.ts'
import { type BundleTransaction, maxBundleGas } from './simulateBundle.ts'

const maxTransactions = 20
const maxInputBytes = 48 * 1024
/** base cost of a transaction */
const minGas = 21_000
const gasMessage = `units of gas: an integer from ${minGas} to ${maxBundleGas}`

const transactionSchema = z
  .object({
    from: addressSchema,
    to: addressSchema,
    input: bytesSchema(maxInputBytes),
    value: amountSchema().optional().openapi({ description: 'wei; 0 by default' }),
    gas: z
      .number({ error: gasMessage })
      .int(gasMessage)
      .min(minGas, gasMessage)
      .max(maxBundleGas, gasMessage)
      .optional()
      .openapi({ description: `gas units; by default an equal share of the rest of ${maxBundleGas}` }),
    gas_price: z.unknown().optional().openapi({ description: 'ignored: gas is free in the simulation' }),
  })
  .openapi('BundleTransaction')

type RequestedTransaction = z.output<typeof transactionSchema>

const allotGas = (requested: RequestedTransaction[]): BundleTransaction[] => {
  const open = requested.filter(({ gas }) => gas === undefined).length
  const given = requested.reduce((sum, { gas = 0 }) => sum + gas, 0)
  const share = Math.floor((maxBundleGas - given) / open)
  return requested.map(({ from, to, input, value = 0n, gas = share }) => ({ from, to, input, value, gas: BigInt(gas) }))
}

/** Transactions to simulate. Their total gas is bounded here, because not every node bounds it. */
export const bundleRequestSchema = z
  .array(transactionSchema)
  .min(1)
  .max(maxTransactions)
  .refine((requested) => requested.reduce((sum, { gas = minGas }) => sum + gas, 0) <= maxBundleGas, {
    error: `transactions that use at most ${maxBundleGas} units of gas together`,
  })
  .transform(allotGas)
