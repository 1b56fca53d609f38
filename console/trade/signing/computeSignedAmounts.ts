import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { type Quote, toExpected } from '../quote/quote.ts'
import { toSlippageBps } from '../quote/toSlippageBps.ts'

const wholeBps = 10_000n

/**
 * Amounts of an order with these terms: the typed exact amount, and for the other side the limit, or the quote after
 * all fees and the displayed slippage, rounded in the owner's favour.
 * @param quote null without an offer
 * @returns undefined when there is nothing to sign
 */
export const computeSignedAmounts = (draft: Draft, quote: Quote | null): Amounts | undefined => {
  const { kind, type, amount, limit } = draft
  if (type === 'limit') return limit
  const slippageBps = toSlippageBps(draft, quote)
  if (!quote || amount === undefined || slippageBps === undefined) return undefined
  const { sellAmount, buyAmount } = toExpected(quote)
  const slippage = BigInt(slippageBps)
  return kind === 'sell'
    ? { sellAmount: amount, buyAmount: (buyAmount * (wholeBps - slippage) + wholeBps - 1n) / wholeBps }
    : { sellAmount: (sellAmount * (wholeBps + slippage)) / wholeBps, buyAmount: amount }
}
