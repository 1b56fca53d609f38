import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Address, Hex } from 'viem'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import type { Database } from '../../client.ts'
import { prepared } from '../../neon/prepared.ts'
import { isUnsigned, orders } from '../../tables/orders/orders.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import { type Page, selectWithDocument, toStoredOrder } from './orders.ts'

export type AccountPage = Page & {
  /** UID of the last order of the previous page */
  after?: Hex | undefined
  /** true: signed orders only; false: unsigned ones only */
  signed?: boolean | undefined
}

/**
 * Orders that an account owns or had placed on-chain: signed ones first, then unsigned ones (`isUnsigned`), each part
 * newest first. Any stranger can send an unsigned order for any owner, so unsigned orders never come first. Each of the
 * three kinds is read by its own index, only as far as the page needs it.
 */
export const selectAccountOrders = async (
  database: Database,
  chainId: number,
  account: Address,
  { offset, limit, after, signed }: AccountPage,
): Promise<StoredOrder[]> => {
  const values = { chainId, account, after, offset, limit, reach: offset + limit }
  const rows = await selectPage(database, values, { signed, hasCursor: after !== undefined })
  return rows.map((row) => toStoredOrder({ ...row, quote: null }))
}

const selectPage = prepared(
  (database, given, { signed, hasCursor }: { signed: boolean | undefined; hasCursor: boolean }) => {
    const isOfChain = eq(orders.chainId, given('chainId', orders.chainId))
    const cursor = hasCursor ? selectCursor(isOfChain, given('after', orders.uid)) : undefined
    const newestOf = (column: typeof orders.owner | typeof orders.onchainUser, isOfKind: SQL, section: SQL) =>
      database
        .select({ uid: orders.uid })
        .from(orders)
        .where(and(isOfChain, eq(column, given('account', column)), isOfKind, cursor && follows(cursor, section)))
        .orderBy(newestFirst(orders.createdAt), asc(orders.uid))
        .limit(given('reach'))
    const owned = newestOf(orders.owner, sql`not (${isUnsigned(orders)})`, signedSection)
    const placed = newestOf(orders.onchainUser, sql`true`, signedSection)
    const unsigned = newestOf(orders.owner, isUnsigned(orders), unsignedSection)
    const listed = signed === undefined ? union(owned, placed, unsigned) : signed ? union(owned, placed) : unsigned
    return selectWithDocument(database, and(isOfChain, inArray(orders.uid, listed)))
      .orderBy(sql`(${isUnsigned(orders)})`, newestFirst(orders.createdAt), asc(orders.uid))
      .offset(given('offset'))
      .limit(given('limit'))
  },
)

type Cursor = { uid: SQL; creation: SQL; isUnsigned: SQL }

const selectCursor = (isOfChain: SQL, uid: SQL): Cursor => {
  const select = (value: SQL) => sql`(select ${value} from ${orders} where ${isOfChain} and ${orders.uid} = ${uid})`
  return { uid, creation: select(sql`${orders.createdAt}`), isUnsigned: select(isUnsigned(orders)) }
}

/** Signed orders follow signed ones only. */
const signedSection = sql`false`
/** Unsigned orders follow unsigned ones, and all of them follow every signed one. */
const unsignedSection = sql`true`

/** Comes after the cursor in the list; an unknown cursor has no successors. */
const follows = ({ uid, creation, isUnsigned: isCursorUnsigned }: Cursor, section: SQL): SQL => {
  const last = sql`case when ${isCursorUnsigned} = ${section} then ${creation}
    when not ${isCursorUnsigned} then 'infinity'::timestamptz end`
  return sql`${orders.createdAt} <= ${last} and (${orders.createdAt} < ${last} or ${orders.uid} > ${uid})`
}
