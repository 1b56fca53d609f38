import type { Candidate } from '#schema/queries/auctions/solvableOrders.ts'
import type { QuotedAmounts } from '#shared/fees/feePolicy.ts'

/**
 * The quote that an order's price improvement is measured against; without one nothing was promised for all it sells. An order
 * that signs the fee of its quote pays it on top of its price, so no fee is taken from the quoted price.
 */
export const toQuotedAmounts = ({ order, quote }: Pick<Candidate, 'order' | 'quote'>): QuotedAmounts =>
  quote
    ? { sellAmount: quote.sellAmount, buyAmount: quote.buyAmount, fee: order.feeAmount === 0n ? quote.feeAmount : 0n }
    : { sellAmount: order.sellAmount, buyAmount: 0n, fee: 0n }
