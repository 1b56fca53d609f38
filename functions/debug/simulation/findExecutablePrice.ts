import type { Address } from 'viem'
import { type PriceReply, priceReplySchema } from '#shared/orders/verdict/priceReply.ts'
import type { PriceFacts } from '#shared/orders/verdict/verdictFacts.ts'
import type { OrderKind } from '#shared/signing/order.ts'
import type { SigningScheme } from '#shared/signing/signingScheme.ts'
import { readBoundedJson } from '#shared/solvers/readBoundedJson.ts'

/** What is left of an order, and what its settlement costs. */
export type PriceQuery = {
  kind: OrderKind
  sellToken: Address
  buyToken: Address
  /** what is left of them */
  sellAmount: bigint
  buyAmount: bigint
  owner: Address
  receiver: Address | null
  signingScheme: SigningScheme
  /** the document, or its hash; null: none that counts */
  appData: string | null
}

export type FindPrice = (query: PriceQuery) => Promise<PriceFacts>

/** The part of the quotes Worker that this needs. */
export type QuotesWorker = { fetch: (request: Request) => Promise<Response> }

const maxBytes = 16 * 1024
/** What the solvers have; the rest of the deadline is for the way. */
const timeoutMs = 2_000
const deadlineMs = 2_500

/**
 * What solvers would give for the rest of an order now, all fees included, by the quotes Worker. Without a reply in time the price is
 * unknown, which is no error.
 */
export const findExecutablePrice =
  (worker: QuotesWorker | undefined): FindPrice =>
  async (query) =>
    worker ? toFacts(await requestPrice(worker, query)) : toFacts({ unknown: 'quotesDisabled' })

const requestPrice = async (worker: QuotesWorker, query: PriceQuery): Promise<PriceReply> => {
  const request = new Request('http://quotes/executable-price', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(toBody(query)),
    signal: AbortSignal.timeout(deadlineMs),
  })
  try {
    return priceReplySchema.parse(await readBoundedJson(await worker.fetch(request), maxBytes))
  } catch {
    return { unknown: 'quotesUnavailable' }
  }
}

const toFacts = (reply: PriceReply): PriceFacts => {
  const notLookedUp = { sellPrice: undefined, buyPrice: undefined }
  if (!('missing' in reply)) return { ...notLookedUp, executable: reply }
  return reply.missing === 'sellToken' ? { ...notLookedUp, sellPrice: null } : { ...notLookedUp, buyPrice: null }
}

const toBody = (query: PriceQuery) => {
  const { kind, sellToken, buyToken, owner, receiver, signingScheme, appData } = query
  const size =
    kind === 'sell'
      ? { sellAmountBeforeFee: query.sellAmount.toString() }
      : { buyAmountAfterFee: query.buyAmount.toString() }
  const document = appData === null ? {} : { appData }
  return { kind, sellToken, buyToken, from: owner, receiver, signingScheme, timeout: timeoutMs, ...size, ...document }
}
