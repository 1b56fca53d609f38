import type { Address, Hex } from 'viem'
import { computeScore } from '#shared/amounts/computeScore.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import type { SolutionOrder } from '#shared/solvers/driverApi.ts'

/** A solution that passed `checkSolution`, and whose it is. */
export type Proposal = {
  solver: Address
  /** the solver's own number for it */
  solutionId: number
  orders: ReadonlyMap<Hex, SolutionOrder>
}

export type ScoredSolution = Proposal & {
  /** wei: the sum of `pairScores` */
  score: bigint
  /** wei by directed pair, see `toPair` */
  pairScores: ReadonlyMap<string, bigint>
}

/** Names a directed pair of tokens: A to B and B to A are two pairs. */
export const toPair = (sellToken: Address, buyToken: Address): string => `${sellToken}>${buyToken}`

/**
 * The score of a solution: the surplus of its orders over their signed limits in native value, per directed pair and in
 * total. The score that the solver reports plays no part.
 * @param prices auction prices, wei per 10¹⁸ atoms
 * @throws RangeError when an order is executed below its limit, an amount overflows, or its buy token has no price: such
 *   a solution is discarded whole
 */
export const scoreSolution = (proposal: Proposal, prices: ReadonlyMap<Address, bigint>): ScoredSolution => {
  const pairScores = new Map<string, bigint>()
  let score = 0n
  for (const [uid, { side: kind, ...order }] of proposal.orders) {
    const buyPrice = prices.get(order.buyToken)
    if (buyPrice === undefined) throw new RangeError(`order ${uid}: its buy token has no price`)
    const orderScore = computeScore({ kind, ...order }, computeSurplus({ kind, ...order }), buyPrice)
    const pair = toPair(order.sellToken, order.buyToken)
    pairScores.set(pair, (pairScores.get(pair) ?? 0n) + orderScore)
    score += orderScore
  }
  return { ...proposal, score, pairScores }
}
