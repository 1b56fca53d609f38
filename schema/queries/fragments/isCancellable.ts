import { and, inArray, isNull, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { orders } from '../../tables/orders/orders.ts'
import { isUnfilled } from './isUnfilled.ts'
import { lastValidSecond } from './lastValidSecond.ts'

/**
 * The owner's signature can still cancel or replace the order: `checkCancellable` in SQL.
 * @param now Unix seconds
 */
export const isCancellable = (now: number | SQLWrapper): SQL | undefined =>
  and(
    isNull(orders.cancelledAt),
    not(orders.invalidated),
    sql`${lastValidSecond} >= ${now}`,
    inArray(orders.signingScheme, ['eip712', 'ethsign']),
    isUnfilled,
  )
