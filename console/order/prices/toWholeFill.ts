import type { Order } from '../loading/loadOrder.ts'

/** Amounts of one or all fills of an order, atoms. */
export type Fill = {
  /** sold amount including the signed fee */
  sellAmount: string
  /** the same without the signed fee, as compared with the limit */
  sellAmountBeforeFees: string
  buyAmount: string
}

/** Sum of all fills of an order. @returns null without a fill */
export const toWholeFill = (order: Order): Fill | null =>
  BigInt(order.executedBuyAmount) === 0n
    ? null
    : {
        sellAmount: order.executedSellAmount,
        sellAmountBeforeFees: order.executedSellAmountBeforeFees,
        buyAmount: order.executedBuyAmount,
      }
