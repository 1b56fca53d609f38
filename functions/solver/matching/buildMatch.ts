import type { Batch } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { noRoute } from '../routing/swapRoute.ts'
import { matchInPart } from './matchInPart.ts'
import { matchWithRest } from './matchWithRest.ts'
import { settleAt } from './settleAt.ts'
import { type Side, sumOf, toTrades } from './toTrades.ts'

/**
 * Matches orders of opposite directions at one price, in every variant that fills all of them:
 *
 * - exact: full amounts at the one clearing price, without any pool
 * - with a rest: the excess of one side is sold to the pools, at the pools' price
 * - partial: at the auction's native prices, or at the geometric mean of both limits where these satisfy only one side;
 *   the last order of the larger side is filled partially if allowed
 *
 * Each order pays the gas of its own trade; orders with a rest also pay for the swaps. Rounding favours the settlement
 * contract, which never lacks an atom.
 * @returns empty when no price satisfies all limits
 */
export const buildMatch = (market: BatchMarket, forward: Side, backward: Side): Batch[] =>
  [
    matchExactly(market, forward, backward),
    matchInPart(market, forward, backward),
    ...forward.ways.map((legs) => matchWithRest(market, forward, backward, legs)),
    ...backward.ways.map((legs) => matchWithRest(market, backward, forward, legs)),
  ].filter((match) => match !== undefined)

/** With x, z of the one token and y, b of the other: x − z is worth b − y. */
const matchExactly = (market: BatchMarket, forward: Side, backward: Side): Batch | undefined => {
  const [selling, opposite] = [toTrades(market, forward), toTrades(market, backward)]
  if (!selling || !opposite) return undefined
  const sold = sumOf(selling, 'sell') - sumOf(opposite, 'buy')
  const bought = sumOf(opposite, 'sell') - sumOf(selling, 'buy')
  if (sold * bought <= 0n) return undefined
  return settleAt(market, selling, opposite, { amountIn: abs(sold), amountOut: abs(bought) }, noRoute)
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value)
