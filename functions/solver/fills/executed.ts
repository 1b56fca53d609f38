import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'

/** Traded amounts of an order, atoms; includes the network fee in its price, excludes a signed fee. */
export interface Executed {
  executedSell: bigint
  executedBuy: bigint
}

/** Sell token atoms that leave the owner, including the fill's part of a signed fee. */
export const computePaid = ({ order, executedSell, executedBuy }: Executed & { order: AuctionOrder }): bigint =>
  executedSell + computeSignedFee(order, order.kind === 'sell' ? executedSell : executedBuy)

/** Surplus over the limit: buy token atoms (sell order) or sell token atoms (buy order); negative below the limit. */
export const computeFillSurplus = (order: AuctionOrder, executed: Executed): bigint =>
  computeSurplus(toExecutedOrder(order, executed))

/** An order and its traded amounts, as shared code reads them. */
export const toExecutedOrder = (
  { kind, sellAmount, buyAmount }: AuctionOrder,
  { executedSell, executedBuy }: Executed,
) => ({
  kind,
  limitSell: sellAmount,
  limitBuy: buyAmount,
  executedSell,
  executedBuy,
})
