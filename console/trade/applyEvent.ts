import type { components } from '../api/openapi.d.ts'

type Order = components['schemas']['Order']
type OrderEvent = components['schemas']['OrderEvent']

type Facts = Pick<OrderEvent, 'status' | 'executedSellAmount' | 'executedBuyAmount'>

/**
 * An order as its newest event says.
 * @param newest undefined: nothing happened since it was asked for
 * @param now Unix seconds: an order also ends by time alone
 */
export const applyEvent = (order: Order, newest: Facts | undefined, now: number): Order => {
  const { status, executedSellAmount, executedBuyAmount } = newest ?? order
  const validTo = order.ethflowData?.userValidTo ?? order.validTo
  const hasExpired = status === 'open' && validTo < now
  return { ...order, status: hasExpired ? 'expired' : status, executedSellAmount, executedBuyAmount }
}
