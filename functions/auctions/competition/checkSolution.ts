import type { Address, Hex } from 'viem'
import type { ProposedSolution, SolutionOrder } from '#shared/solvers/driverApi.ts'
import { type AuctionedOrder, findExecutionFault, findJitFault } from './findExecutionFault.ts'

/** Why a solution is rejected; the solver's other solutions are not affected. */
export class SolutionError extends Error {
  override name = 'SolutionError'
}

/** Maximum number of just-in-time orders per solution. */
export const maxJitOrders = 50

/** Orders that a solution may contain. */
export type AllowedOrders = {
  orders: ReadonlyMap<Hex, AuctionedOrder>
  /** stored orders that the auction excluded; solutions must not contain them */
  excluded: ReadonlySet<Hex>
  /** orders of the auction that must be settled alone, because their settlement failed before */
  alone: Pick<ReadonlySet<Hex>, 'has'>
}

/**
 * Checks a solution before scoring. It must come from the configured account, contain orders of the auction with their
 * signed terms, and execute them within their limits: all of a fill-or-kill order, at most the remainder of a partially
 * fillable one, plus the corresponding part of the signed fee. An order whose settlement failed before must be settled
 * alone, except for just-in-time orders. Terms of just-in-time orders are unverified until the settlement contract
 * checks their signatures.
 * @param solver configured account of the solver
 * @throws SolutionError naming the first violated rule
 */
export const checkSolution = (
  solution: ProposedSolution,
  solver: Address,
  { orders, excluded, alone }: AllowedOrders,
): void => {
  if (solution.submissionAddress !== solver) throw new SolutionError(`submission address is not ${solver}`)
  const executions = Object.entries(solution.orders) as [Hex, SolutionOrder][]
  if (executions.length === 0) throw new SolutionError('no orders')
  const jitOrders = executions.filter(([uid]) => !orders.has(uid)).length
  if (jitOrders > maxJitOrders) throw new SolutionError(`${jitOrders} just-in-time orders, at most ${maxJitOrders}`)
  const single = executions.find(([uid]) => alone.has(uid))?.[0]
  if (single !== undefined && executions.length - jitOrders > 1) {
    throw new SolutionError(`order ${single} must be settled alone: its settlement has failed before`)
  }
  for (const [uid, execution] of executions) {
    if (excluded.has(uid)) throw new SolutionError(`order ${uid} is not in the auction`)
    const order = orders.get(uid)
    const fault = order ? findExecutionFault(execution, order) : findJitFault(execution)
    if (fault) throw new SolutionError(`order ${uid}: ${fault}`)
  }
}
