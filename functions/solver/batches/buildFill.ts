import { computeScore } from '#shared/amounts/computeScore.ts'
import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { chargeFees } from '#shared/fees/chargeFees.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'

/** What an order trades, atoms; the network fee of its price included, a signed fee not. */
export interface Executed {
  executedSell: bigint
  executedBuy: bigint
}

/** One order and what it gets, all fees taken. */
export interface Fill extends Executed {
  order: AuctionOrder
  /** surplus before protocol fees in native value, wei: what the auction counts */
  score: bigint
}

/** Sell token atoms that leave the owner: with the part of a signed fee that the fill pays. */
export const computePaid = ({ order, executedSell, executedBuy }: Executed & { order: AuctionOrder }): bigint =>
  executedSell + computeSignedFee(order, order.kind === 'sell' ? executedSell : executedBuy)

/**
 * What an order gets once its protocol fees are taken too.
 * @param gross executed amounts before protocol fees
 * @returns undefined when an amount is nothing, or so large that the settlement contract cannot check the order's limit
 */
export const chargeProtocolFees = (order: AuctionOrder, gross: Executed): Executed | undefined => {
  if (gross.executedSell <= 0n || gross.executedBuy <= 0n || overflows(order, gross)) return undefined
  if (order.protocolFees.length === 0) return gross
  const net = ignoreOverflow(() => chargeFees(toExecutedOrder(order, gross), order.protocolFees))
  if (!net || net.executedBuy <= 0n || overflows(order, net)) return undefined
  return { executedSell: net.executedSell, executedBuy: net.executedBuy }
}

/** What an order gains over its limit: buy token atoms (sell order) or sell token atoms (buy order); negative below it. */
export const computeFillSurplus = (order: AuctionOrder, executed: Executed): bigint =>
  computeSurplus(toExecutedOrder(order, executed))

/**
 * Gives an order what its trade brings.
 *
 * A part of a partially fillable order must be worth its gas: at least half of what its owner pays is traded.
 * @param gross executed amounts before protocol fees
 * @param networkFee part of `gross.executedSell`, sell token atoms
 * @param buyPrice auction price of the buy token, wei per 10^18 atoms
 * @returns undefined when the order cannot be settled so, or scores more than a score can be
 */
export const buildFill = (
  order: AuctionOrder,
  gross: Executed,
  networkFee: bigint,
  buyPrice: bigint,
): Fill | undefined => {
  if (order.partiallyFillable && gross.executedSell < 2n * networkFee) return undefined
  const net = chargeProtocolFees(order, gross)
  if (!net || computeFillSurplus(order, net) < 0n) return undefined
  const score = ignoreOverflow(() =>
    computeScore(toExecutedOrder(order, gross), computeFillSurplus(order, gross), buyPrice),
  )
  return score === undefined ? undefined : { order, ...net, score }
}

/** Anybody may place orders whose amounts or worth are beyond all numbers: they are left out. */
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

/** The contract's limit check multiplies these, and reverts above 256 bits. */
const overflows = ({ sellAmount, buyAmount }: AuctionOrder, { executedSell, executedBuy }: Executed): boolean =>
  sellAmount * executedBuy > maxUint256 || buyAmount * executedSell > maxUint256
