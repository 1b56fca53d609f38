import type { Address, Hex } from 'viem'
import { computeScore } from '#shared/amounts/computeScore.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { checkUint256 } from '#shared/amounts/uint256.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'
import type { SolutionId, SolutionOrder } from '#shared/solvers/driverApi.ts'
import { toPair } from '#shared/solvers/toTradedPair.ts'
import { undoFees } from './undoFees.ts'

/** A solution that passed `checkSolution`, with its solver. */
export type Proposal = {
  solver: Address
  /** the solver's own id of the solution */
  solutionId: SolutionId
  orders: ReadonlyMap<Hex, SolutionOrder>
}

export type ScoredSolution = Proposal & {
  /** wei: the sum of `pairScores` */
  score: bigint
  /** wei by directed pair, see `toPair` */
  pairScores: ReadonlyMap<string, bigint>
  /** fee of each policy of an order, in the order of application: atoms of its surplus token */
  protocolFees: ReadonlyMap<Hex, readonly bigint[]>
  /** from the start of the auction until its solver responded, ms */
  responseMs?: number | undefined
}

/** Facts of an auction shared by all solutions. */
export type ScoreRules = {
  /** auction prices, wei per 10¹⁸ atoms */
  prices: ReadonlyMap<Address, bigint>
  feePolicies: ReadonlyMap<Hex, readonly FeePolicy[]>
  /** orders of the auction; other orders score only for these owners */
  orders: Pick<ReadonlyMap<Hex, unknown>, 'has'>
  jitOrderOwners: ReadonlySet<Address>
}

/**
 * The score of a solution: the surplus of its orders over their signed limits in native value, per directed pair and in
 * total. Executed amounts exclude signed fees. Protocol fees count as surplus: fees that the policies deducted from the
 * executed amounts are added back. The score reported by the solver is ignored. Just-in-time orders score only for
 * listed owners.
 * @throws RangeError when an order is executed below its limit, an amount or the sum overflows, or its buy token has no
 *   price, or when no order scores: the whole solution is discarded
 */
export const scoreSolution = (proposal: Proposal, rules: ScoreRules): ScoredSolution => {
  const { prices, feePolicies, orders, jitOrderOwners } = rules
  const pairScores = new Map<string, bigint>()
  const protocolFees = new Map<Hex, readonly bigint[]>()
  let score = 0n
  for (const [uid, { side: kind, ...rest }] of proposal.orders) {
    if (!orders.has(uid) && !jitOrderOwners.has(unpackOrderUid(uid).owner)) continue
    const order = { kind, ...rest }
    const buyPrice = prices.get(order.buyToken)
    if (buyPrice === undefined) throw new RangeError(`order ${uid}: its buy token has no price`)
    const surplus = computeSurplus(order)
    if (surplus < 0n) throw new RangeError(`order ${uid}: ${-surplus} below its limit`)
    const { fees } = undoFees(order, feePolicies.get(uid) ?? [])
    protocolFees.set(uid, fees)
    const orderScore = computeScore(order, sum([surplus, ...fees]), buyPrice)
    const pair = toPair(order.sellToken, order.buyToken)
    pairScores.set(pair, (pairScores.get(pair) ?? 0n) + orderScore)
    score = checkUint256(score + orderScore, 'score')
  }
  if (pairScores.size === 0) throw new RangeError('none of its orders scores')
  return { ...proposal, score, pairScores, protocolFees }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
