import { checkExpiry } from '#shared/orders/checkExpiry.ts'
import { checkLifetime } from '#shared/orders/checkLifetime.ts'
import type { OrderCreation } from '#shared/orders/orderCreation.ts'

/**
 * A new order lives neither too short nor too long.
 * @param now Unix seconds
 * @throws ApiError `OrderExpired`, `InsufficientValidTo`, `ExcessiveValidTo`
 */
export const checkValidity = (order: Pick<OrderCreation, 'validTo' | 'signingScheme'>, now: number): void => {
  checkExpiry(order.validTo, now)
  checkLifetime(order, now)
}
