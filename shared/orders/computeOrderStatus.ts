import type { StoredOrder } from './storedOrder.ts'

export type OrderStatus = 'presignaturePending' | 'open' | 'fulfilled' | 'cancelled' | 'expired'

export type StatusFacts = Pick<
  StoredOrder,
  | 'kind'
  | 'sellAmount'
  | 'buyAmount'
  | 'validTo'
  | 'userValidTo'
  | 'signingScheme'
  | 'cancelledAt'
  | 'invalidated'
  | 'presigned'
  | 'executedSellAmount'
  | 'executedBuyAmount'
  | 'executedFeeAmount'
>

/**
 * Status of an order, the first that applies: fulfilled, cancelled, expired, presignaturePending, open. An order is
 * fulfilled once its exact amount is executed, and stays fulfilled.
 * @param now Unix seconds
 */
export const computeOrderStatus = (order: StatusFacts, now: number): OrderStatus => {
  if (isFulfilled(order)) return 'fulfilled'
  if (order.cancelledAt !== null || order.invalidated) return 'cancelled'
  if ((order.userValidTo ?? order.validTo) < now) return 'expired'
  if (order.signingScheme === 'presign' && !order.presigned) return 'presignaturePending'
  return 'open'
}

const isFulfilled = (order: StatusFacts): boolean =>
  order.kind === 'sell'
    ? order.executedSellAmount > 0n && order.executedSellAmount - order.executedFeeAmount === order.sellAmount
    : order.executedBuyAmount > 0n && order.executedBuyAmount === order.buyAmount
