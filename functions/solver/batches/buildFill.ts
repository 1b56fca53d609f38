import { computeScore } from '#shared/amounts/computeScore.ts'
import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { chargeFees } from '#shared/fees/chargeFees.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'

/** Traded amounts of an order, atoms; includes the network fee in its price, excludes a signed fee. */
export interface Executed {
  executedSell: bigint
  executedBuy: bigint
}

/** One order and its executed amounts after all fees. */
export interface OrderFill extends Executed {
  order: AuctionOrder
  /** surplus before protocol fees in native value, wei: the score in the auction */
  score: bigint
}

/** Sell token atoms that leave the owner, including the fill's part of a signed fee. */
export const computePaid = ({ order, executedSell, executedBuy }: Executed & { order: AuctionOrder }): bigint =>
  executedSell + computeSignedFee(order, order.kind === 'sell' ? executedSell : executedBuy)

/**
 * Charges the protocol fees of an order.
 * @param gross executed amounts before protocol fees
 * @returns undefined when an amount is zero, or too large for the limit check of the settlement contract
 */
export const chargeProtocolFees = (order: AuctionOrder, gross: Executed): Executed | undefined => {
  if (gross.executedSell <= 0n || gross.executedBuy <= 0n || overflows(order, gross)) return undefined
  if (order.protocolFees.length === 0) return gross
  const net = ignoreOverflow(() => chargeFees(toExecutedOrder(order, gross), order.protocolFees))
  if (!net || net.executedBuy <= 0n || overflows(order, net)) return undefined
  return { executedSell: net.executedSell, executedBuy: net.executedBuy }
}

/** Surplus over the limit: buy token atoms (sell order) or sell token atoms (buy order); negative below the limit. */
export const computeFillSurplus = (order: AuctionOrder, executed: Executed): bigint =>
  computeSurplus(toExecutedOrder(order, executed))

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

/** Orders can have amounts or values beyond any bound: those are left out. */
const ignoreOverflow = <T>(compute: () => T): T | undefined => {
  try {
    return compute()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const toExecutedOrder = ({ kind, sellAmount, buyAmount }: AuctionOrder, { executedSell, executedBuy }: Executed) => ({
  kind,
  limitSell: sellAmount,
  limitBuy: buyAmount,
  executedSell,
  executedBuy,
})

/** The contract's limit check multiplies these amounts, and reverts above 256 bits. */
const overflows = ({ sellAmount, buyAmount }: AuctionOrder, { executedSell, executedBuy }: Executed): boolean =>
  sellAmount * executedBuy > maxUint256 || buyAmount * executedSell > maxUint256
