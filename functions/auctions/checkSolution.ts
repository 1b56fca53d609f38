import type { Address, Hex } from 'viem'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import type { ProposedSolution, SolutionOrder } from '#shared/solvers/driverApi.ts'
import { computeRemaining, type FillableOrder } from './computeRemaining.ts'

/** An order of the auction, as far as a solution must respect it. */
export type AuctionedOrder = FillableOrder & { sellToken: Address; buyToken: Address }

/** Why a solution does not take part; it costs its solver only this solution. */
export class SolutionError extends Error {
  override name = 'SolutionError'
}

/**
 * What a solution must respect before it is scored: it comes from the configured account, names orders of the auction
 * with their signed terms, and executes them within their limits: all of a fill-or-kill order, at most the rest of a
 * partially fillable one.
 * @param solver the account configured for the solver
 * @throws SolutionError naming the first rule it breaks
 */
export const checkSolution = (
  solution: ProposedSolution,
  solver: Address,
  orders: ReadonlyMap<Hex, AuctionedOrder>,
): void => {
  if (solution.submissionAddress !== solver) throw new SolutionError(`submission address is not ${solver}`)
  const executions = Object.entries(solution.orders) as [Hex, SolutionOrder][]
  if (executions.length === 0) throw new SolutionError('no orders')
  for (const [uid, execution] of executions) {
    const order = orders.get(uid)
    if (!order) throw new SolutionError(`order ${uid} is not in the auction`)
    const fault = findFault(execution, order)
    if (fault) throw new SolutionError(`order ${uid}: ${fault}`)
  }
}

const findFault = (execution: SolutionOrder, order: AuctionedOrder): string | undefined => {
  const { side, limitSell, limitBuy, executedSell, executedBuy } = execution
  if (side !== order.kind) return `side ${side}, signed ${order.kind}`
  if (execution.sellToken !== order.sellToken || execution.buyToken !== order.buyToken) return 'tokens differ'
  if (limitSell !== order.sellAmount || limitBuy !== order.buyAmount) return 'limits differ from the signed amounts'
  if (executedSell === 0n || executedBuy === 0n) return 'nothing executed'
  const exact = side === 'sell' ? executedSell : executedBuy
  const remaining = computeRemaining(order)
  if (exact > remaining) return `executes ${exact}, remaining ${remaining}`
  if (!order.partiallyFillable && exact !== remaining) return `executes ${exact} of ${remaining}, fill-or-kill`
  const surplus = computeSurplus({ kind: side, limitSell, limitBuy, executedSell, executedBuy })
  if (surplus < 0n) return `${-surplus} below its limit`
  return undefined
}
