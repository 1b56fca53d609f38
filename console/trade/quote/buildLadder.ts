import type { Amounts } from '../draft/computeLimit.ts'
import { type Quote, toAmounts } from './quote.ts'

/** A step from the market price to the signed amount. */
export type LadderStep = {
  label: string
  /** of the inexact token: bought by a sell order, paid by a buy order; atoms */
  amount: bigint
  /** difference from the step before, atoms; null on the first one */
  change: bigint | null
}

type Terms = {
  kind: 'sell' | 'buy'
  /** of a limit order */
  limit: Amounts | undefined
}

/** Amounts of a quote, cost by cost; a limit order ends with its own price instead of slippage. */
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
