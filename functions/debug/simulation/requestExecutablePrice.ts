import type { Address } from 'viem'
import { readBoundedJson } from '#shared/connections/readBoundedJson.ts'
import { type PriceReply, priceReplySchema } from '#shared/orders/verdict/priceReply.ts'
import type { ServiceBinding } from '#shared/settings/serviceBinding.ts'
import type { OrderKind } from '#shared/signing/order.ts'
import type { SigningScheme } from '#shared/signing/signingScheme.ts'

/** Remainder of an order and the cost of its settlement. */
export type PriceQuery = {
  kind: OrderKind
  sellToken: Address
  buyToken: Address
  /** the remainder of each */
  sellAmount: bigint
  buyAmount: bigint
  owner: Address
  receiver: Address | null
  signingScheme: SigningScheme
  /** who had a contract place it on-chain; null: it was not placed so */
  onchainUser: Address | null
  /** the document or its hash; null: none */
  appData: string | null
}

const maxBytes = 16 * 1024

/** Time for the solvers; the rest of the deadline covers the round trip. */
const timeoutMs = 2_000

const deadlineMs = 2_500

/** Requests a price from the quotes Worker; unknown without a response in time. */
export const requestExecutablePrice = async (worker: ServiceBinding, query: PriceQuery): Promise<PriceReply> => {
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

/** The check of the contract's signature is part of wrapping its ether. */
const ofEtherOrder = { onchainOrder: true, verificationGasLimit: 0 }

const toBody = (query: PriceQuery) => {
  const { kind, sellToken, buyToken, owner, receiver, signingScheme, appData } = query
  const size =
    kind === 'sell'
      ? { sellAmountBeforeFee: query.sellAmount.toString() }
      : { buyAmountAfterFee: query.buyAmount.toString() }
  const document = appData === null ? {} : { appData }
  const wrapping = signingScheme === 'eip1271' && query.onchainUser !== null ? ofEtherOrder : {}
  return {
    kind,
    sellToken,
    buyToken,
    from: owner,
    receiver,
    signingScheme,
    timeout: timeoutMs,
    ...size,
    ...document,
    ...wrapping,
  }
}
