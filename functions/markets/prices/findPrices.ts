import type { Address } from 'viem'
import { z } from 'zod'
import type { TokenPrice } from '#schema/queries/markets/priceSamples.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { Network } from '#shared/networks.ts'
import { readBoundedJson } from '#shared/solvers/readBoundedJson.ts'

/** The part of the tokens Worker that this needs. */
export type TokensWorker = { fetch: (request: Request) => Promise<Response> }

/** What came of asking for prices: those that are known, and for how many tokens there was no answer at all. */
export type FoundPrices = { prices: TokenPrice[]; unanswered: number; reason: string | undefined }

/** as many as the tokens Worker takes at once */
const tokensOfCall = 100
const maxBytes = 64 * 1024
const timeoutMs = 20_000

const answerSchema = z.array(z.object({ price: z.number().positive().nullable() }))

/**
 * US dollar prices by the tokens Worker, 100 tokens a call, one call after the other. A token without a price is left out;
 * a call that fails does not keep the others from being made.
 */
export const findPrices = async (
  worker: TokensWorker,
  network: Network,
  tokens: readonly Address[],
): Promise<FoundPrices> => {
  const found: FoundPrices = { prices: [], unanswered: 0, reason: undefined }
  for (let start = 0; start < tokens.length; start += tokensOfCall) {
    const asked = tokens.slice(start, start + tokensOfCall)
    try {
      found.prices.push(...(await askWorker(worker, network, asked)))
    } catch (error) {
      found.unanswered += asked.length
      found.reason = describeError(error)
    }
  }
  return found
}

const askWorker = async (
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
  const answers = answerSchema.length(tokens.length).parse(body)
  return tokens.flatMap((token, i) => {
    const price = answers[i]?.price
    return price ? [{ token, price }] : []
  })
}
