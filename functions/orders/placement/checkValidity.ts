import { checkExpiry, checkLifetime } from '#shared/orders/orderChecks.ts'
import type { OrderCreation } from '#shared/orders/orderCreation.ts'

/**
 * Checks that a new order expires neither too soon nor too late.
 * @param now Unix seconds
 * @param minSeconds minimum remaining validity
 * @throws ApiError `OrderExpired`, `InsufficientValidTo`, `ExcessiveValidTo`
 */
export const checkValidity = (
  order: Pick<OrderCreation, 'validTo' | 'signingScheme'>,
  now: number,
  minSeconds: number,
): void => {
  checkExpiry(order.validTo, now, minSeconds)
  checkLifetime(order, now)
}
