import type { Address } from 'viem'
import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { removeSignedFee } from '#shared/amounts/removeSignedFee.ts'
import { computeRemaining, type FillableOrder } from '#shared/orders/computeRemaining.ts'
import type { SolutionOrder } from '#shared/solvers/driverApi.ts'

/** The terms of an auction order that a solution must respect. */
export type AuctionedOrder = FillableOrder & { sellToken: Address; buyToken: Address; feeAmount: bigint }

/** Finds the rule that the execution of a just-in-time order violates. */
export const findJitFault = (execution: SolutionOrder): string | undefined => {
  const { side, limitSell, limitBuy, executedSell, executedBuy } = execution
  if (executedSell === 0n || executedBuy === 0n) return 'nothing executed'
  const [exact, limit] = side === 'sell' ? [executedSell, limitSell] : [executedBuy, limitBuy]
  return exact > limit ? `executes ${exact}, signed ${limit}` : findLoss(execution)
}

/** Finds the rule that the execution of an order of the auction violates. */
export const findExecutionFault = (execution: SolutionOrder, order: AuctionedOrder): string | undefined => {
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
