import type { Order } from '../loading/loadOrder.ts'

type Amounts = Pick<Order, 'kind' | 'sellAmount' | 'buyAmount' | 'executedSellAmountBeforeFees' | 'executedBuyAmount'>

/** How much of an order is filled, and of how much: atoms of the token whose amount is exact. */
export const computeFilledShare = (order: Amounts): { filled: bigint; of: bigint } =>
  order.kind === 'sell'
    ? { filled: BigInt(order.executedSellAmountBeforeFees), of: BigInt(order.sellAmount) }
    : { filled: BigInt(order.executedBuyAmount), of: BigInt(order.buyAmount) }
