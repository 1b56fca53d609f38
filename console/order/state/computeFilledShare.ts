import type { Order } from '../loading/loadOrder.ts'

type Amounts = Pick<Order, 'kind' | 'sellAmount' | 'buyAmount' | 'executedSellAmountBeforeFees' | 'executedBuyAmount'>

/** Filled part of an order and its total: atoms of the exact token. */
export const computeFilledShare = (order: Amounts): { filled: bigint; of: bigint } =>
  order.kind === 'sell'
    ? { filled: BigInt(order.executedSellAmountBeforeFees), of: BigInt(order.sellAmount) }
    : { filled: BigInt(order.executedBuyAmount), of: BigInt(order.buyAmount) }
