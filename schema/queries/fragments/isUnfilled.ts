import { isUnfilledIn, orders } from '../../tables/orders/orders.ts'

/** Part of the order's exact amount is unfilled. */
export const isUnfilled = isUnfilledIn(orders)
