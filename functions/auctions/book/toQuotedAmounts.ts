import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { QuotedAmounts } from '#shared/fees/feePolicy.ts'

/**
 * Quoted amounts as the reference of price improvement; without a quote the reference buys 0 for the whole sell amount.
 * An order that signs its quote's fee pays it in addition to its price, so no fee is deducted from the quoted price.
 */
export const toQuotedAmounts = ({ order, quote }: Pick<Candidate, 'order' | 'quote'>): QuotedAmounts =>
  quote
    ? { sellAmount: quote.sellAmount, buyAmount: quote.buyAmount, fee: order.feeAmount === 0n ? quote.feeAmount : 0n }
    : { sellAmount: order.sellAmount, buyAmount: 0n, fee: 0n }
