import type { Address } from 'viem'
import { z } from 'zod'
import { describeError } from '#shared/http/describeError.ts'
import { type Network, type NetworkName, nativeSentinel } from '#shared/networks.ts'
import { readBoundedJson } from '#shared/solvers/readBoundedJson.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import { type PriceOutcome, type PriceSource, toPriceOutcome } from './priceSource.ts'

/** The part of a network's quotes Worker that this needs. */
export type QuotesWorker = { fetch: (request: Request) => Promise<Response> }

export type OwnPricesDeps = {
  quotes: ReadonlyMap<NetworkName, QuotesWorker>
  /** undefined: the token does not say; rejects when the node fails */
  findDecimals: (network: Network, token: Address) => Promise<number | undefined>
}

const maxBytes = 16 * 1024
/** More than solvers ever have (`QUOTE_TIMEOUT_MS`): a Worker that is stuck must not hold up all who wait for this look-up. */
const defaultTimeoutMs = 21_000
const nativePriceSchema = z.object({ price: z.number().positive() })
const refusalSchema = z.object({
  errorType: z.string(),
  data: z.object({ retryable: z.boolean() }).partial().optional(),
})

/**
 * What the network's own solvers pay for a token, against what they pay for the network's US dollar reference:
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
      // Without the reference nothing has a price here, so that says nothing about the token.
      if (referencePrice.status !== 'price') return { status: 'failed', reason: 'the reference has no price' }
      return toPriceOutcome((price.price / referencePrice.price) * 10 ** (decimals - referenceDecimals))
    } catch (error) {
      return { status: 'failed', reason: describeError(error) }
    }
  },
})

/** Wei of the native token for an atom. Solvers that looked, and trade it not at all or not now, have no price for it. */
const findNativePrice = async (worker: QuotesWorker, token: Address): Promise<PriceOutcome> => {
  const response = await worker.fetch(new Request(`http://quotes/api/v1/token/${token}/native_price`))
  const body = await readBoundedJson(response, maxBytes)
  if (response.ok) return toPriceOutcome(nativePriceSchema.parse(body).price)
  const { errorType, data } = refusalSchema.parse(body)
  const isUnknown = response.status === 400 && data?.retryable === false
  return isUnknown ? { status: 'unknown' } : { status: 'failed', reason: errorType }
}
