import type { OrderKind } from '../signing/order.ts'

/** Signed and executed amounts of an order, atoms. */
export type FillableOrder = {
  kind: OrderKind
  partiallyFillable: boolean
  sellAmount: bigint
  buyAmount: bigint
  executedSellAmount: bigint
  executedBuyAmount: bigint
  /** signed fee taken so far; part of `executedSellAmount` */
  executedFeeAmount: bigint
}

/** Executed part of the exact side of an order: sell atoms before fees, or buy atoms. */
export const computeExecuted = (order: FillableOrder): bigint =>
  order.kind === 'sell' ? order.executedSellAmount - order.executedFeeAmount : order.executedBuyAmount

/** Unfilled part of the exact side of an order: sell atoms of a sell order, buy atoms of a buy order. */
export const computeRemaining = (order: FillableOrder): bigint =>
  (order.kind === 'sell' ? order.sellAmount : order.buyAmount) - computeExecuted(order)
