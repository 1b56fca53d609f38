import type { Address, Hex } from 'viem'
import { removeSignedFee } from '#shared/amounts/removeSignedFee.ts'
import type { ProposedSolution, SolutionOrder } from '#shared/solvers/driverApi.ts'
import type { Auction } from '../auction.ts'
import { checkPlausible } from './checkPlausible.ts'
import { checkSolution, maxJitOrders, SolutionError } from './checkSolution.ts'
import type { CollectSolutionsDeps } from './collectDeps.ts'
import { type Proposal, type ScoredSolution, scoreSolution } from './scoreSolution.ts'

/** A promised rate this many times above every reference is rejected. */
const plausibleRateFactor = 10

type Rules = { excluded: ReadonlySet<Hex> | undefined; unsupported: ReadonlySet<Hex> }

/**
 * Checks and scores a solution.
 * @throws SolutionError naming the first violated rule; RangeError when a score overflows
 */
export const scoreChecked = (
  deps: CollectSolutionsDeps,
  solution: ProposedSolution,
  solver: Address,
  auction: Auction,
  { excluded, unsupported }: Rules,
): ScoredSolution => {
  if (!excluded && findJitUids(solution, auction).length > 0) {
    throw new SolutionError('its just-in-time orders cannot be looked up now')
  }
  checkSolution(solution, solver, { ...auction, excluded: excluded ?? new Set() })
  const uids = Object.keys(solution.orders) as Hex[]
  const needy = uids.find((uid) => unsupported.has(uid))
  if (needy) throw new SolutionError(`order ${needy} needs what the solver does not support`)
  const hidden = uids.find((uid) => auction.orders.has(uid) && !deps.maySee(solver, uid))
  if (hidden) throw new SolutionError(`order ${hidden}: the solver is suspended and may not win it`)
  const orders = new Map(Object.entries(solution.orders) as [Hex, SolutionOrder][])
  const traded = removeSignedFees(orders, auction)
  checkPlausible(traded, { ...auction, factor: plausibleRateFactor })
  const proposal: Proposal = { solver, solutionId: solution.solutionId, orders: traded }
  return { ...scoreSolution(proposal, { ...auction, jitOrderOwners: deps.jitOrderOwners }), orders }
}

/** Traded amounts of the orders: a signed fee is not part of the price, so it does not affect the score. */
const removeSignedFees = (executions: Proposal['orders'], { orders }: Auction): Proposal['orders'] =>
  new Map(
    [...executions].map(([uid, execution]) => {
      const order = orders.get(uid)
      return [uid, order ? { ...execution, executedSell: removeSignedFee(order, execution) } : execution]
    }),
  )

/** Orders outside the auction; empty for a solution with too many of them, which is rejected anyway. */
export const findJitUids = ({ orders }: ProposedSolution, auction: Auction): Hex[] => {
  const uids = (Object.keys(orders) as Hex[]).filter((uid) => !auction.orders.has(uid))
  return uids.length > maxJitOrders ? [] : uids
}
