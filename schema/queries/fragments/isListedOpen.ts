import { and, isNull, not, sql } from 'drizzle-orm'
import { isUnsigned, orders } from '../../tables/orders/orders.ts'
import { isUnfilled } from './isUnfilled.ts'
import { lastValidSecond } from './lastValidSecond.ts'

/** A signed order that can still be traded. */
export const isListedOpen = and(
  isNull(orders.cancelledAt),
  not(orders.invalidated),
  isUnfilled,
  sql`not (${isUnsigned(orders)})`,
  sql`${lastValidSecond} >= extract(epoch from now())::bigint`,
)
