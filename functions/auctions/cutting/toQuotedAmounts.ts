import type { Candidate } from '#schema/queries/solvableOrders.ts'
import type { QuotedAmounts } from '#shared/fees/feePolicy.ts'

/** The quote that an order's price improvement is measured against; without one nothing was promised for all it sells. */
export const toQuotedAmounts = ({ order, quote }: Pick<Candidate, 'order' | 'quote'>): QuotedAmounts =>
  quote
    ? { sellAmount: quote.sellAmount, buyAmount: quote.buyAmount, fee: quote.feeAmount }
    : { sellAmount: order.sellAmount, buyAmount: 0n, fee: 0n }
