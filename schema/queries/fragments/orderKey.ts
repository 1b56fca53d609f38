import { type SQL, sql } from 'drizzle-orm'

/**
 * Eight bytes by which `auctions.losing_orders` finds an order. Two of a billion orders share them with a chance of 3
 * %; their reports would list an auction of the other one, without solutions.
 * @param uid `bytea`
 */
export const orderKey = (uid: SQL): SQL => sql`('x' || left(md5(${uid}), 16))::bit(64)::bigint`
