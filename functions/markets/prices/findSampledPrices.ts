import type { Address } from 'viem'
import { z } from 'zod'
import type { TokenPrice } from '#schema/queries/markets/priceSamples.ts'
import { readBoundedJson } from '#shared/connections/readBoundedJson.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { Network } from '#shared/networks.ts'

/** Service binding of the tokens Worker. */
export type TokensWorker = { fetch: (request: Request) => Promise<Response> }

/** Known prices, and the number of tokens whose requests failed. */
export type FoundPrices = { prices: TokenPrice[]; unavailable: number; reason: string | undefined }

/** maximum number of tokens per request to the tokens Worker */
const tokensOfCall = 100
const maxBytes = 64 * 1024
const timeoutMs = 20_000

const responseSchema = z.array(z.object({ price: z.number().positive().nullable() }))

/**
 * US dollar prices from the tokens Worker, in sequential requests of 100 tokens. Tokens without a price are left out; a
 * failed request does not stop the others.
 */
export const findSampledPrices = async (
  worker: TokensWorker,
  network: Network,
  tokens: readonly Address[],
): Promise<FoundPrices> => {
  const found: FoundPrices = { prices: [], unavailable: 0, reason: undefined }
  for (let start = 0; start < tokens.length; start += tokensOfCall) {
    const requested = tokens.slice(start, start + tokensOfCall)
    try {
      found.prices.push(...(await requestPrices(worker, network, requested)))
    } catch (error) {
      found.unavailable += requested.length
      found.reason = describeError(error)
    }
  }
  return found
}

const requestPrices = async (
  worker: TokensWorker,
  { chainId }: Network,
  tokens: readonly Address[],
): Promise<TokenPrice[]> => {
  const response = await worker.fetch(
    new Request(`http://tokens/${chainId}/tokens/prices`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ tokenAddresses: tokens }),
      signal: AbortSignal.timeout(timeoutMs),
    }),
  )
  const body = await readBoundedJson(response, maxBytes)
  if (!response.ok) throw new Error(`status ${response.status}`)
  const responses = responseSchema.length(tokens.length).parse(body)
  return tokens.flatMap((token, i) => {
    const price = responses[i]?.price
    return price ? [{ token, price }] : []
  })
}
