import { computeScore } from '#shared/amounts/computeScore.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { chargeProtocolFees } from './chargeProtocolFees.ts'
import { computeFillSurplus, type Executed, toExecutedOrder } from './executed.ts'
import { ignoreOverflow } from './ignoreOverflow.ts'

/** One order and its executed amounts after all fees. */
export interface OrderFill extends Executed {
  order: AuctionOrder
  /** surplus before protocol fees in native value, wei: the score in the auction */
  score: bigint
}

/**
 * Builds the fill of an order from its trade.
 *
 * A partial fill must be worth its gas: at least half of the amount paid by the owner is traded.
 * @param gross executed amounts before protocol fees
 * @param networkFee part of `gross.executedSell`, sell token atoms
 * @param buyPrice auction price of the buy token, wei per 10^18 atoms
 * @returns undefined when the order cannot be settled with these amounts, or its score overflows
 */
export const buildFill = (
  order: AuctionOrder,
  gross: Executed,
  networkFee: bigint,
  buyPrice: bigint,
): OrderFill | undefined => {
  if (order.partiallyFillable && gross.executedSell < 2n * networkFee) return undefined
  const net = chargeProtocolFees(order, gross)
  if (!net || computeFillSurplus(order, net) < 0n) return undefined
  const score = ignoreOverflow(() =>
    computeScore(toExecutedOrder(order, gross), computeFillSurplus(order, gross), buyPrice),
  )
  return score === undefined ? undefined : { order, ...net, score }
}
