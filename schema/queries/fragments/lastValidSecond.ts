import { sql } from 'drizzle-orm'
import { orders } from '../../tables/orders/orders.ts'

/**
 * Last second in which an order can be filled, Unix: the user's own limit comes before the one signed by a placement
 * contract.
 */
export const lastValidSecond = sql<number>`coalesce(${orders.userValidTo}, ${orders.validTo})`
