import { ApiError } from '../http/errors.ts'
import type { OrderCreation } from './orderCreation.ts'

/**
 * Both amounts must be something, and no fee is signed.
 * @throws ApiError `ZeroAmount`, `NonZeroFee`
 */
export const checkAmounts = (order: Pick<OrderCreation, 'sellAmount' | 'buyAmount' | 'feeAmount'>): void => {
  if (order.sellAmount === 0n || order.buyAmount === 0n) {
    throw new ApiError('ZeroAmount', { data: { field: order.sellAmount === 0n ? 'sellAmount' : 'buyAmount' } })
  }
  if (order.feeAmount !== 0n) {
    throw new ApiError('NonZeroFee', { data: { field: 'feeAmount', expected: '0', got: order.feeAmount.toString() } })
  }
}
