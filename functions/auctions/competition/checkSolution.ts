import type { Address, Hex } from 'viem'
import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { removeSignedFee } from '#shared/amounts/removeSignedFee.ts'
import { computeRemaining, type FillableOrder } from '#shared/orders/computeRemaining.ts'
import type { ProposedSolution, SolutionOrder } from '#shared/solvers/driverApi.ts'

/** The terms of an auction order that a solution must respect. */
export type AuctionedOrder = FillableOrder & { sellToken: Address; buyToken: Address; feeAmount: bigint }

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
