import type { Amounts } from '../draft/computeLimit.ts'
import { type Quote, toAmounts } from './quote.ts'

/** Costs of a trade in the token of its inexact amount, atoms. */
export type Costs = {
  /** gas of the settlement */
  network: bigint
  /** of the protocol and of partners */
  fees: bigint
}

/**
 * Costs that a quote adds to its price before fees: a sell order receives less, a buy order pays more.
 * @param amounts of the quote, step by step
 */
export const computeCosts = ({ amounts, kind }: { amounts: Quote['amounts']; kind: 'sell' | 'buy' }): Costs => {
  const toOther = ({ sellAmount, buyAmount }: Amounts) => (kind === 'sell' ? -buyAmount : sellAmount)
  const [before, network, partner] = [amounts.beforeAllFees, amounts.afterNetworkFee, amounts.afterPartnerFee].map(
    (step) => toOther(toAmounts(step)),
  ) as [bigint, bigint, bigint]
  return { network: network - before, fees: partner - network }
}
