import type { Amounts } from '../draft/computeLimit.ts'
import { type Quote, toAmounts } from './quote.ts'

/** A step from the market's price to what is signed. */
export type LadderStep = {
  label: string
  /** of the token that is not exact: what a sell order gets, what a buy order pays; atoms */
  amount: bigint
  /** against the step before, atoms; null on the first one */
  change: bigint | null
}

type Terms = {
  kind: 'sell' | 'buy'
  /** of an order with a price of its own */
  limit: Amounts | undefined
}

/** The amounts of a quote, one cost after the other; an order with a price of its own ends with that, not with the slippage. */
export const buildLadder = (
  { amounts, slippageBps }: Pick<Quote, 'amounts' | 'slippageBps'>,
  { kind, limit }: Terms,
): LadderStep[] => {
  const steps: [string, Amounts][] = [
    ['At the market’s price', toAmounts(amounts.beforeAllFees)],
    ['After the network fee', toAmounts(amounts.afterNetworkFee)],
    ['After the protocol fee', toAmounts(amounts.afterProtocolFee)],
    ['After the partner fee', toAmounts(amounts.afterPartnerFee)],
    limit
      ? ['Your limit: what you sign', limit]
      : [`After ${slippageBps / 100}\u00a0% slippage: what you sign`, toAmounts(amounts.afterSlippage)],
  ]
  const toOther = ({ sellAmount, buyAmount }: Amounts) => (kind === 'sell' ? buyAmount : sellAmount)
  return steps.map(([label, step], index) => {
    const previous = steps[index - 1]
    const amount = toOther(step)
    return { label, amount, change: previous ? amount - toOther(previous[1]) : null }
  })
}
