import type { Address } from 'viem'
import { ApiError } from '../http/errors.ts'
import type { JsonObject } from '../jsonObject.ts'
import type { Order } from '../signing/order.ts'

/**
 * The fields of a stored quote that an order signing its fee must match. Amounts are those of the quote response,
 * atoms.
 */
export type OfferedQuote = {
  id: number
  sellToken: Address
  buyToken: Address
  kind: Order['kind']
  feeAmount: bigint
  /** null: the quote predates these columns */
  offeredSellAmount: bigint | null
  offeredBuyAmount: bigint | null
  expiresAt: Date
}

type SignedTerms = Pick<Order, 'sellToken' | 'buyToken' | 'kind' | 'sellAmount' | 'buyAmount' | 'feeAmount'>

/**
 * Checks a signed fee: it must be 0, or tokens, kind, both amounts and fee must equal those of a live quote. All other
 * members are free.
 * @param quoteId the quote that the order names
 * @param quote that quote, null when it is not stored
 * @param now Unix seconds
 * @throws ApiError `NonZeroFee` with the reason and the numbers behind it
 */
export const checkSignedFee = (
  order: SignedTerms,
  quoteId: number | null | undefined,
  quote: OfferedQuote | null,
  now: number,
): void => {
  const fault = order.feeAmount === 0n ? undefined : findFault(order, quoteId ?? null, quote, now)
  if (!fault) return
  const { description, data } = fault
  throw new ApiError('NonZeroFee', {
    description,
    data: { got: order.feeAmount.toString(), ...data, quoteId: quoteId ?? null },
  })
}

/** Whether an order without a fee, or with the fee of a quote, agrees with `checkSignedFee`. */
export const hasAcceptedFee = (order: SignedTerms, quote: OfferedQuote | null, now: number): boolean =>
  order.feeAmount === 0n || findFault(order, quote?.id ?? null, quote, now) === undefined

const findFault = (
  order: SignedTerms,
  quoteId: number | null,
  quote: OfferedQuote | null,
  now: number,
): { description: string; data: JsonObject } | undefined => {
  if (quoteId === null) {
    const description = 'feeAmount must be 0 without quoteId; set quoteId to the quote whose fee the order signs'
    return { description, data: { reason: 'noQuote', field: 'feeAmount', expected: '0' } }
  }
  if (!quote) {
    const description = `feeAmount must be 0: there is no quote ${quoteId}; request a new quote`
    return { description, data: { reason: 'unknownQuote', field: 'feeAmount', expected: '0' } }
  }
  const expiration = quote.expiresAt.toISOString()
  if (quote.expiresAt.getTime() < now * 1_000) {
    const description = `feeAmount must be 0: quote ${quoteId} expired at ${expiration}; request a new quote`
    return { description, data: { reason: 'expiredQuote', field: 'feeAmount', expected: '0', expiration } }
  }
  const wanted = {
    sellToken: quote.sellToken,
    buyToken: quote.buyToken,
    kind: quote.kind,
    feeAmount: quote.feeAmount,
    sellAmount: quote.offeredSellAmount,
    buyAmount: quote.offeredBuyAmount,
  }
  const field = fields.find((name) => order[name] !== wanted[name])
  if (!field) return undefined
  const [expected, got] = [String(wanted[field]), String(order[field])]
  const description = `an order that signs the fee of quote ${quoteId} must sign its ${field} of ${expected} unchanged; got ${got}`
  return {
    description,
    data: { reason: field === 'feeAmount' ? 'otherFee' : 'otherTerms', field, expected, got, expiration },
  }
}

const fields = ['sellToken', 'buyToken', 'kind', 'feeAmount', 'sellAmount', 'buyAmount'] as const
