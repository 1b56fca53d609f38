import type { Batch } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { invert, type Rate } from '../routing/rate.ts'
import { noRoute } from '../routing/swapRoute.ts'
import { computeFairRate } from './computeFairRate.ts'
import { settleAt } from './settleAt.ts'
import { type Side, sumOf, type Trade, toTrades } from './toTrades.ts'

/**
 * Matches two sides at a rate that satisfies all limits; the last order of the larger side is filled partially.
 * @returns undefined when no rate does, or the amounts cannot be filled at it
 */
export const matchInPart = (market: BatchMarket, forward: Side, backward: Side): Batch | undefined => {
  const [selling, opposite] = [toTrades(market, forward), toTrades(market, backward)]
  const rate = selling && opposite && computeFairRate(market, selling, opposite, forward, backward)
  if (!rate) return undefined
  const { amountIn, amountOut } = rate
  // excess of the forward side, · amountOut, in atoms of its sell token
  const excess =
    (sumOf(selling, 'sell') - sumOf(opposite, 'buy')) * amountOut +
    (sumOf(selling, 'buy') - sumOf(opposite, 'sell')) * amountIn
  return excess >= 0n
    ? settleAt(market, reduceLast(selling, excess, rate), opposite, rate, noRoute)
    : settleAt(market, selling, reduceLast(opposite, -excess, invert(rate)), rate, noRoute)
}

/** Reduces the last order by the excess, rounded up, if it is partially fillable. */
const reduceLast = (trades: readonly Trade[], excess: bigint, { amountIn, amountOut }: Rate): Trade[] => {
  const last = trades.at(-1)
  if (!last?.order.partiallyFillable) return [...trades]
  const unit = last.order.kind === 'sell' ? amountOut : amountIn
  return [...trades.slice(0, -1), { ...last, amount: last.amount - (excess + unit - 1n) / unit }]
}
