import type { Address } from 'viem'
import { z } from 'zod'
import { readBoundedJson } from '#shared/connections/readBoundedJson.ts'
import { describeError } from '#shared/http/describeError.ts'
import { type Network, type NetworkName, nativeSentinel } from '#shared/networks.ts'
import type { ServiceBinding } from '#shared/settings/serviceBinding.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import { type PriceOutcome, type PriceSource, toPriceOutcome } from './priceSource.ts'

export type OwnPricesDeps = {
  quotes: ReadonlyMap<NetworkName, ServiceBinding>
  /** undefined: the token returns none; rejects when the node fails */
  findDecimals: (network: Network, token: Address) => Promise<number | undefined>
}

const maxBytes = 16 * 1024
/**
 * Longer than any solver timeout (`QUOTE_TIMEOUT_MS`); bounds how long an unresponsive Worker blocks a shared lookup.
 */
const defaultTimeoutMs = 21_000
const nativePriceSchema = z.object({ price: z.number().positive() })
const refusalSchema = z.object({
  errorType: z.string(),
  data: z.object({ retryable: z.boolean() }).partial().optional(),
})

/**
 * Prices derived from the solvers' native prices of a token and of the network's US dollar reference:
 *     price = native price · 10^decimals / (native price of the reference · 10^decimals of the reference)
 */
export const ownPrices = (
  { quotes, findDecimals }: OwnPricesDeps,
  { timeoutMs = defaultTimeoutMs }: { timeoutMs?: number } = {},
): PriceSource => ({
  name: 'own',
  findPrice: async (network, token) => {
    const worker = quotes.get(network.name as NetworkName)
    if (!worker) return { status: 'unknown' }
    const { address: reference, decimals: referenceDecimals } = network.usdReference
    try {
      const [price, referencePrice, decimals] = await withDeadline(
        Promise.all([
          findNativePrice(worker, token),
          findNativePrice(worker, reference),
          token === nativeSentinel ? 18 : findDecimals(network, token),
        ]),
        timeoutMs,
      )
      if (price.status !== 'price') return price
      if (decimals === undefined) return { status: 'unknown' }
      // without a reference price this is a failure, not an unknown token
      if (referencePrice.status !== 'price') return { status: 'failed', reason: 'the reference has no price' }
      return toPriceOutcome((price.price / referencePrice.price) * 10 ** (decimals - referenceDecimals))
    } catch (error) {
      return { status: 'failed', reason: describeError(error) }
    }
  },
})

/** Native price in wei per atom; `unknown` when the solvers responded and do not trade the token now. */
const findNativePrice = async (worker: ServiceBinding, token: Address): Promise<PriceOutcome> => {
  const response = await worker.fetch(new Request(`http://quotes/api/v1/token/${token}/native_price`))
  const body = await readBoundedJson(response, maxBytes)
  if (response.ok) return toPriceOutcome(nativePriceSchema.parse(body).price)
  const { errorType, data } = refusalSchema.parse(body)
  const isUnknown = response.status === 400 && data?.retryable === false
  return isUnknown ? { status: 'unknown' } : { status: 'failed', reason: errorType }
}
