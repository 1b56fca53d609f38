import type { Draft } from '../draft/draft.ts'
import { maxSlippageBps } from '../draft/readSlippage.ts'
import type { Quote } from './quote.ts'

/**
 * Slippage of a market order, basis points: the typed value, else the suggestion of the quote.
 * @returns undefined without a quote, or when the suggestion exceeds the maximum of the page
 */
export const toSlippageBps = (
  { slippageBps }: Pick<Draft, 'slippageBps'>,
  quote: Pick<Quote, 'slippageBps'> | null,
): number | undefined => {
  if (slippageBps !== 'auto') return slippageBps
  return quote && quote.slippageBps <= maxSlippageBps ? quote.slippageBps : undefined
}
