import { and, asc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { OrderStatus } from '#shared/orders/computeOrderStatus.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import type { Database } from '../../client.ts'
import { isUnsigned, orders, stateOf, type TimelessState } from '../../tables/orders/orders.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import { selectWithDocument, toStoredOrder } from '../orders/orders.ts'
import { scanPage } from './scanPage.ts'

/** All given conditions hold; `token` is sold or bought, `owner` owns the order or had it placed on-chain. */
export type NetworkOrderFilter = {
  status?: OrderStatus | undefined
  kind?: 'sell' | 'buy' | undefined
  token?: Address | undefined
  owner?: Address | undefined
  /** traded, but not to the end, whatever its status is now */
  isPartlyFilled?: true | undefined
}

export type NetworkOrderPage = {
  /** UID that ended the previous page */
  after?: Hex | undefined
  limit: number
  /** Unix seconds */
  now: number
}

const order = sql`${newestFirst(orders.createdAt)}, ${orders.uid}`

/**
 * Orders of a network, newest first. Unsigned ones (`isUnsigned`) are listed with the status `presignaturePending`
 * only: any stranger can submit them. Filters without an index of their own are applied to at most a thousand rows of a
 * page, so that a page may be short or empty and still have a next one.
 * @returns `next`: where the next page begins; null at the end
 */
export const selectNetworkOrders = async (
  database: Database,
  chainId: number,
  filter: NetworkOrderFilter,
  { after, limit, now }: NetworkOrderPage,
): Promise<{ orders: StoredOrder[]; next: Hex | null }> => {
  const { sources, others } = findSources(filter)
  const follows = after && isAfter(chainId, after)
  const matches = and(...others.map((name) => conditions[name](filter, now)))
  const { rows, edge } = scanPage(
    {
      ...{ table: orders, key: sql`${orders.uid}`, order, matches },
      sources: sources.map(
        (condition) => (most) =>
          sql`select * from ${orders} where ${and(eq(orders.chainId, chainId), condition, follows)}
          order by ${order} limit ${most}`,
      ),
    },
    limit + 1,
  )
  const [found, edges] = await database.batch([
    selectWithDocument(database, and(eq(orders.chainId, chainId), inArray(orders.uid, sql`(${rows})`))).orderBy(
      newestFirst(orders.createdAt),
      asc(orders.uid),
    ),
    database
      .select({ uid: orders.uid })
      .from(orders)
      .where(and(eq(orders.chainId, chainId), edge ? eq(orders.uid, sql`(${edge})`) : sql`false`)),
  ])
  const page = found.slice(0, limit)
  const next = found.length > limit ? page.at(-1)?.order.uid : edges[0]?.uid
  return { orders: page.map((row) => toStoredOrder({ ...row, quote: null })), next: next ?? null }
}

type FilterName = keyof NetworkOrderFilter

const isSigned = sql`not (${isUnsigned(orders)})`
const isInState = (state: TimelessState): SQL => sql`(${stateOf(orders)}) = ${state}`
const stateOfStatus = {
  ...{ fulfilled: 'fulfilled', cancelled: 'cancelled', presignaturePending: 'pending' },
  ...{ open: 'signed', expired: 'signed' },
} as const satisfies Record<OrderStatus, TimelessState>

/** The rows of a list by the index of its narrowest filter, and the filters that it leaves. */
const findSources = (filter: NetworkOrderFilter): { sources: (SQL | undefined)[]; others: FilterName[] } => {
  const { status, token, owner } = filter
  const left = (...names: FilterName[]) => names.filter((name) => filter[name] !== undefined)
  if (owner) {
    const isListed = status === 'presignaturePending' ? isUnsigned(orders) : isSigned
    const isPlaced = and(eq(orders.onchainUser, owner), ne(orders.owner, owner))
    return {
      sources: [and(eq(orders.owner, owner), isListed), isPlaced],
      others: left('status', 'kind', 'token', 'isPartlyFilled'),
    }
  }
  if (token && status !== 'presignaturePending') {
    const isBought = and(eq(orders.buyToken, token), isSigned, ne(orders.sellToken, token))
    return {
      sources: [and(eq(orders.sellToken, token), isSigned), isBought],
      others: left('status', 'kind', 'isPartlyFilled'),
    }
  }
  if (status === undefined) return { sources: [isSigned], others: left('kind', 'isPartlyFilled') }
  const isTimed = status !== 'fulfilled' && status !== 'cancelled'
  const further = left('kind', 'token', 'isPartlyFilled')
  const others = isTimed ? [...left('status'), ...further] : further
  return { sources: [isInState(stateOfStatus[status])], others }
}

/** Traded, but not to the end. */
export const isPartlyFilled = sql`(${orders.executedSellAmount} > 0 and not ${isInState('fulfilled')})`

const conditions: Record<FilterName, (filter: NetworkOrderFilter, now: number) => SQL | undefined> = {
  status: ({ status }, now) => {
    if (status === undefined) return undefined
    const state = isInState(stateOfStatus[status])
    if (status === 'fulfilled' || status === 'cancelled') return state
    return and(state, status === 'expired' ? sql`${lastValidSecond} < ${now}` : sql`${lastValidSecond} >= ${now}`)
  },
  kind: ({ kind }) => kind && eq(orders.kind, kind),
  token: ({ token }) => token && or(eq(orders.sellToken, token), eq(orders.buyToken, token)),
  isPartlyFilled: () => isPartlyFilled,
  // its rows are always read by their own index
  owner: () => undefined,
}

/** Comes after the order with this UID in the list; an unknown UID has no successors. */
const isAfter = (chainId: number, uid: Hex): SQL => {
  const creation = sql`(select last.created_at from ${orders} as last
    where last.chain_id = ${chainId} and last.uid = ${sql.param(uid, orders.uid)})`
  return sql`${orders.createdAt} <= ${creation}
    and (${orders.createdAt} < ${creation} or ${orders.uid} > ${sql.param(uid, orders.uid)})`
}
