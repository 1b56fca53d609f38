import { sql } from 'drizzle-orm'
import { orders } from '../../tables/orders/orders.ts'

/** Until when an order can be filled, Unix seconds: what its user chose comes before what a contract signed for ever. */
export const lastValidSecond = sql<number>`coalesce(${orders.userValidTo}, ${orders.validTo})`
