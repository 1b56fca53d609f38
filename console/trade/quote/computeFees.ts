import type { Amounts } from '../draft/computeLimit.ts'
import { type Quote, toAmounts } from './quote.ts'

/**
 * Fees of the protocol and of partners in a quote, atoms of the token of the inexact amount: a sell order receives less,
 * a buy order pays more.
 * @param amounts of the quote, step by step
 */
export const computeFees = ({ amounts, kind }: { amounts: Quote['amounts']; kind: 'sell' | 'buy' }): bigint => {
  const toOther = ({ sellAmount, buyAmount }: Amounts) => (kind === 'sell' ? -buyAmount : sellAmount)
  return toOther(toAmounts(amounts.afterPartnerFee)) - toOther(toAmounts(amounts.afterNetworkFee))
}
