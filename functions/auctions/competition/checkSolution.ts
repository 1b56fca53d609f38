import type { Address, Hex } from 'viem'
import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { removeSignedFee } from '#shared/amounts/removeSignedFee.ts'
import { computeRemaining, type FillableOrder } from '#shared/orders/computeRemaining.ts'
import type { ProposedSolution, SolutionOrder } from '#shared/solvers/driverApi.ts'

/** An order of the auction, as far as a solution must respect it. */
export type AuctionedOrder = FillableOrder & { sellToken: Address; buyToken: Address; feeAmount: bigint }

/** Why a solution does not take part; it costs its solver only this solution. */
export class SolutionError extends Error {
  override name = 'SolutionError'
}

/** Orders of one solution that no auction has: just-in-time orders. */
export const maxJitOrders = 50

/** Which orders a solution may have. */
export type AllowedOrders = {
  orders: ReadonlyMap<Hex, AuctionedOrder>
  /** orders of the book that are not in the auction: it left them out, so no solver may bring them back */
  excluded: ReadonlySet<Hex>
  /** orders of the auction that are settled alone: their settlement has failed before */
  alone: Pick<ReadonlySet<Hex>, 'has'>
}

/**
 * What a solution must respect before it is scored: it comes from the configured account, names orders of the auction
 * with their signed terms, and executes them within their limits: all of a fill-or-kill order, at most the rest of a
 * partially fillable one, with the signed fee of that part on top. An order whose settlement has failed stands alone, beside
 * just-in-time orders at most. It may bring just-in-time orders of its own; their terms are what it says they are, until the
 * settlement contract has checked the signatures.
 * @param solver the account configured for the solver
 * @throws SolutionError naming the first rule it breaks
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
    const fault = order ? findFault(execution, order) : findJitFault(execution)
    if (fault) throw new SolutionError(`order ${uid}: ${fault}`)
  }
}

const findJitFault = (execution: SolutionOrder): string | undefined => {
  const { side, limitSell, limitBuy, executedSell, executedBuy } = execution
  if (executedSell === 0n || executedBuy === 0n) return 'nothing executed'
  const [exact, limit] = side === 'sell' ? [executedSell, limitSell] : [executedBuy, limitBuy]
  return exact > limit ? `executes ${exact}, signed ${limit}` : findLoss(execution)
}

const findFault = (execution: SolutionOrder, order: AuctionedOrder): string | undefined => {
  const { side, limitSell, limitBuy, executedSell, executedBuy } = execution
  if (side !== order.kind) return `side ${side}, signed ${order.kind}`
  if (execution.sellToken !== order.sellToken || execution.buyToken !== order.buyToken) return 'tokens differ'
  if (limitSell !== order.sellAmount || limitBuy !== order.buyAmount) return 'limits differ from the signed amounts'
  if (executedSell === 0n || executedBuy === 0n) return 'nothing executed'
  const sold = removeSignedFee(order, { executedSell, executedBuy })
  const exact = side === 'sell' ? sold : executedBuy
  const signedFee = computeSignedFee(order, exact)
  if (sold <= 0n) return `sells ${executedSell}, its signed fee is ${signedFee}`
  if (sold + signedFee !== executedSell)
    return `sells ${executedSell}, with its signed fee ${sold} make ${sold + signedFee}`
  const remaining = computeRemaining(order)
  if (exact > remaining) return `executes ${exact}, remaining ${remaining}`
  if (!order.partiallyFillable && exact !== remaining) return `executes ${exact} of ${remaining}, fill-or-kill`
  return findLoss({ ...execution, executedSell: sold })
}

const findLoss = ({ side, ...execution }: SolutionOrder): string | undefined => {
  const surplus = computeSurplus({ kind: side, ...execution })
  return surplus < 0n ? `${-surplus} below its limit` : undefined
}
