import { ApiError } from '../http/errors.ts'
import type { OrderCreation } from './orderCreation.ts'

/**
 * Checks that both amounts are above zero.
 * @throws ApiError `ZeroAmount`
 */
export const checkAmounts = (order: Pick<OrderCreation, 'sellAmount' | 'buyAmount'>): void => {
  if (order.sellAmount === 0n || order.buyAmount === 0n) {
    throw new ApiError('ZeroAmount', { data: { field: order.sellAmount === 0n ? 'sellAmount' : 'buyAmount' } })
  }
}
