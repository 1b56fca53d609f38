import type { Address } from 'viem'
import { z } from 'zod'
import { describeError } from '#shared/http/describeError.ts'
import { type Network, type NetworkName, nativeSentinel } from '#shared/networks.ts'
import { readBoundedJson } from '#shared/solvers/readBoundedJson.ts'
import { type PriceOutcome, type PriceSource, toPriceOutcome } from './priceSource.ts'

/** The part of a network's quotes Worker that this needs. */
export type QuotesWorker = { fetch: (request: Request) => Promise<Response> }

export type OwnPricesDeps = {
  quotes: ReadonlyMap<NetworkName, QuotesWorker>
  /** undefined: the token does not say; rejects when the node fails */
  findDecimals: (network: Network, token: Address) => Promise<number | undefined>
}

const maxBytes = 16 * 1024
const nativePriceSchema = z.object({ price: z.number().positive() })
const refusalSchema = z.object({
  errorType: z.string(),
  data: z.object({ retryable: z.boolean() }).partial().optional(),
})

/**
 * What the network's own solvers pay for a token, against what they pay for the network's US dollar reference:
 *     price = native price · 10^decimals / (native price of the reference · 10^decimals of the reference)
 */
export const ownPrices = ({ quotes, findDecimals }: OwnPricesDeps): PriceSource => ({
  name: 'own',
  findPrice: async (network, token) => {
    const worker = quotes.get(network.name as NetworkName)
    if (!worker) return { status: 'unknown' }
    const { address: reference, decimals: referenceDecimals } = network.usdReference
    try {
      const [price, referencePrice, decimals] = await Promise.all([
        findNativePrice(worker, token),
        findNativePrice(worker, reference),
        token === nativeSentinel ? 18 : findDecimals(network, token),
      ])
      if (price.status !== 'price') return price
      if (decimals === undefined) return { status: 'unknown' }
      // Without the reference nothing has a price here, so that says nothing about the token.
      if (referencePrice.status !== 'price') return { status: 'failed', reason: 'the reference has no price' }
      return toPriceOutcome((price.price / referencePrice.price) * 10 ** (decimals - referenceDecimals))
    } catch (error) {
      return { status: 'failed', reason: describeError(error) }
    }
  },
})

/** Wei of the native token for an atom. */
const findNativePrice = async (worker: QuotesWorker, token: Address): Promise<PriceOutcome> => {
  const response = await worker.fetch(new Request(`http://quotes/api/v1/token/${token}/native_price`))
  const body = await readBoundedJson(response, maxBytes)
  if (response.ok) return toPriceOutcome(nativePriceSchema.parse(body).price)
  const { errorType, data } = refusalSchema.parse(body)
  const isUnknown = errorType === 'NoLiquidity' && data?.retryable !== true
  return isUnknown ? { status: 'unknown' } : { status: 'failed', reason: errorType }
}
