import { localize } from '../../ui/numbers.ts'
import type { Amounts } from '../draft/computeLimit.ts'
import { type Quote, toAmounts } from '../quote/quote.ts'

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
    ['Market price', toAmounts(amounts.beforeAllFees)],
    ['After network cost', toAmounts(amounts.afterNetworkFee)],
    ['After protocol fee', toAmounts(amounts.afterProtocolFee)],
    ['After partner fee', toAmounts(amounts.afterPartnerFee)],
    limit
      ? ['Your limit (signed)', limit]
      : [`After ${localize(String(slippageBps / 100))}\u00a0% slippage (signed)`, toAmounts(amounts.afterSlippage)],
  ]
  const toOther = ({ sellAmount, buyAmount }: Amounts) => (kind === 'sell' ? buyAmount : sellAmount)
  return steps.map(([label, step], index) => {
    const previous = steps[index - 1]
    const amount = toOther(step)
    return { label, amount, change: previous ? amount - toOther(previous[1]) : null }
  })
}
