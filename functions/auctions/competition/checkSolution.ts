import type { Address, Hex } from 'viem'
import type { ProposedSolution, SolutionOrder } from '#shared/solvers/driverApi.ts'
import type { Auction } from '../auction.ts'
import { type AuctionedOrder, findExecutionFault, findJitFault } from './findExecutionFault.ts'

/** Why a solution is rejected; the solver's other solutions are not affected. */
export class SolutionError extends Error {
  override name = 'SolutionError'
}

/** Maximum number of just-in-time orders per solution. */
export const maxJitOrders = 50

/** Orders that a solution may contain. */
export type AllowedOrders = {
  orders: ReadonlyMap<Hex, AuctionedOrder & { owner: Address }>
  /** stored orders that the auction excluded; solutions must not contain them */
  excluded: ReadonlySet<Hex>
  /** orders of the auction that share no transaction with another owner's order, see `computeCertainty` */
  certainty: Auction['certainty']
}

/**
 * Checks a solution before scoring. It must come from the configured account, contain orders of the auction with their
 * signed terms, and execute them within their limits: all of a fill-or-kill order, at most the remainder of a partially
 * fillable one, plus the corresponding part of the signed fee. An order that is not certain shares the solution
 * with orders of its owner and just-in-time orders only. Terms of just-in-time orders are unverified until the settlement contract
 * checks their signatures.
 * @param solver configured account of the solver
 * @throws SolutionError naming the first violated rule
 */
export const checkSolution = (
  solution: ProposedSolution,
  solver: Address,
  { orders, excluded, certainty }: AllowedOrders,
): void => {
  if (solution.submissionAddress !== solver) throw new SolutionError(`submission address is not ${solver}`)
  const executions = Object.entries(solution.orders) as [Hex, SolutionOrder][]
  if (executions.length === 0) throw new SolutionError('no orders')
  const jitOrders = executions.filter(([uid]) => !orders.has(uid)).length
  if (jitOrders > maxJitOrders) throw new SolutionError(`${jitOrders} just-in-time orders, at most ${maxJitOrders}`)
  const owners = new Set(executions.flatMap(([uid]) => orders.get(uid)?.owner ?? []))
  const single = executions.find(([uid]) => certainty.has(uid))?.[0]
  if (single !== undefined && owners.size > 1) {
    throw new SolutionError(`order ${single} must be settled without orders of other owners`)
  }
  for (const [uid, execution] of executions) {
    if (excluded.has(uid)) throw new SolutionError(`order ${uid} is not in the auction`)
    const order = orders.get(uid)
    const fault = order ? findExecutionFault(execution, order) : findJitFault(execution)
    if (fault) throw new SolutionError(`order ${uid}: ${fault}`)
  }
}
