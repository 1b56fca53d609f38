import type { Address, Hex } from 'viem'
import { computeScore } from '#shared/amounts/computeScore.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { checkUint256 } from '#shared/amounts/uint256.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'
import type { SolutionId, SolutionOrder } from '#shared/solvers/driverApi.ts'
import { undoFees } from '../fees/undoFees.ts'

/** A solution that passed `checkSolution`, and whose it is. */
export type Proposal = {
  solver: Address
  /** the solver's own number for it */
  solutionId: SolutionId
  orders: ReadonlyMap<Hex, SolutionOrder>
  /** it gives way to solutions of a lower rank; 0 unless given */
  rank?: number
}

export type ScoredSolution = Proposal & {
  /** wei: the sum of `pairScores` */
  score: bigint
  /** wei by directed pair, see `toPair` */
  pairScores: ReadonlyMap<string, bigint>
  /** what each policy of an order took, in the order of application: atoms of the token of its surplus */
  protocolFees: ReadonlyMap<Hex, readonly bigint[]>
}

/** What an auction fixes for all solutions. */
export type ScoreRules = {
  /** auction prices, wei per 10¹⁸ atoms */
  prices: ReadonlyMap<Address, bigint>
  feePolicies: ReadonlyMap<Hex, readonly FeePolicy[]>
  /** the orders of the auction; others score only for these owners */
  orders: Pick<ReadonlyMap<Hex, unknown>, 'has'>
  jitOrderOwners: ReadonlySet<Address>
}

/** Names a directed pair of tokens: A to B and B to A are two pairs. */
export const toPair = (sellToken: Address, buyToken: Address): string => `${sellToken}>${buyToken}`

/**
 * The score of a solution: the surplus of its orders over their signed limits in native value, per directed pair and in
 * total. Executed amounts come without signed fees. Protocol fees count as surplus: what the policies must have taken from the executed amounts is added back. The score
 * that the solver reports plays no part. Just-in-time orders score for the owners on the list, and for nobody else.
 * @throws RangeError when an order is executed below its limit, an amount or the sum overflows, or its buy token has no price,
 *   or when nothing scores: such a solution is discarded whole
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
