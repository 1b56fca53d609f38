import { and, desc, eq, getTableColumns, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { type ParsedAppData, parseAppData } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { Database } from '../../client.ts'
import { auctionEntries } from '../../tables/auctions/auctions.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { isProgressEvent, type ProgressLabel } from '../events/progressEvents.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import { uidList } from '../fragments/uidList.ts'
import { groupFailures, type OrderFailures } from '../settlements/groupFailures.ts'
import { ordersInFlight } from '../settlements/settlementAttempts.ts'
import { selectSettlementFailures } from '../settlements/settlementFailures.ts'
import { type BookLimit, openBook } from './openBook.ts'

const {
  chainId: _,
  fullBalanceCheck: _check,
  version: _version,
  jitBlock: _block,
  referrerCode: _referrerCode,
  admissionMs: _admissionMs,
  submittedBy: _submittedBy,
  ...candidateColumns
} = getTableColumns(orders)

/** The fields of an order's quote that fees and solvers use. */
const quoteColumns = {
  sellAmount: orderQuotes.sellAmount,
  buyAmount: orderQuotes.buyAmount,
  feeAmount: orderQuotes.feeAmount,
  solver: orderQuotes.solver,
}

/** The app data document, only when its keys may name a loan or a wrapper; a cut needs nothing from others. */
const fundingDocument = sql<
  string | null
>`case when ${appData.fullAppData} ~ 'flashloan|wrappers|\\\\u' then ${appData.fullAppData} end`

const orderUidInFlight = sql<Hex>`in_flight.uid`.mapWith(orders.uid)

/** Maximum number of orders of one cut unless the caller limits it. */
const defaultMaxOrders = 5_000
/** Orders of one read, so that the answer of a cold start stays small. */
const pageSize = 1_000

/** An order that may enter an auction, with its state. */
export type Candidate = {
  order: Omit<
    typeof orders.$inferSelect,
    'chainId' | 'fullBalanceCheck' | 'version' | 'jitBlock' | 'referrerCode' | 'admissionMs' | 'submittedBy'
  >
  /** atoms; null for an order without a quote */
  quote: Pick<typeof orderQuotes.$inferSelect, keyof typeof quoteColumns> | null
  /** hooks that may fund the order within its settlement; null without any */
  funding: Pick<ParsedAppData, 'flashloan' | 'wrappers'> | null
  inFlight: boolean
  /** it was in the newest auction */
  entered: boolean
  newestLabel: ProgressLabel | null
  newestReason: string | null
  /** null without a failed settlement, of this order or of other orders of its account, since the last fill */
  settlementFailures: OrderFailures | null
}

/** A candidate as read; every change that matters to auctions changes its version. */
export type KnownCandidate = Candidate & { version: number }

/**
 * The orders that may enter an auction, newest first: not cancelled on-chain or off-chain, correctly placed, not
 * refunded, not filled, valid now and for long enough. All of them, or those that `openBook` chooses from a book beyond
 * the limit.
 *
 * One round trip reads the state of each order, a few words each. Further ones read new and changed orders in pages, if
 * there are any. The cost of unchanged orders does not depend on their size.
 * @param now Unix seconds
 * @param minValiditySeconds least remaining validity of an order
 * @param known candidates of an earlier call by UID; those with an unchanged version are reused
 * @returns `departed`: listed orders that are no longer candidates; of them, `crowdedOut` left only because of the limit;
 *   `turnEnd`: the last order in turn
 */
export const selectCandidates = async (
  database: Database,
  chainId: number,
  now: number,
  minValiditySeconds: number,
  known: ReadonlyMap<Hex, KnownCandidate> = new Map(),
  limit: BookLimit = { maxOrders: defaultMaxOrders, prices: new Map(), turnAfter: '0x' },
): Promise<{ candidates: KnownCandidate[]; departed: Hex[]; crowdedOut: Hex[]; turnEnd: Hex }> => {
  const condition = isCandidate(chainId, now, minValiditySeconds)
  const { book, departed, inFlight, findFailures } = await selectStandings(database, chainId, condition, limit)
  const standings = book.filter(({ inTurn }) => inTurn !== null)
  const left = book.flatMap(({ uid, inTurn }) => (inTurn === null ? [uid] : []))
  const isChanged = ({ uid, version }: Standing) => known.get(uid)?.version !== version
  const changed = await selectOrders(database, chainId, standings.filter(isChanged))
  return {
    candidates: standings.flatMap(({ uid, entered, newestLabel, newestReason }) => {
      // gone between the two reads: an order known only from a block that was undone
      const read = changed.get(uid) ?? known.get(uid)
      if (!read) return []
      const { order, quote, version, funding } = read
      return [
        {
          order,
          quote,
          version,
          funding,
          inFlight: inFlight.has(uid),
          entered: entered !== null,
          newestLabel,
          newestReason,
          settlementFailures: findFailures(order),
        },
      ]
    }),
    departed: [...departed, ...left],
    crowdedOut: left.filter((uid) => !inFlight.has(uid)),
    turnEnd: findTurnEnd(standings, limit),
  }
}

/** The turn begins behind `turnAfter` and continues from the first UID. */
const findTurnEnd = (standings: readonly { uid: Hex; inTurn: boolean | null }[], { turnAfter }: BookLimit): Hex => {
  const turn = standings.filter(({ inTurn }) => inTurn).map(({ uid }) => uid)
  const again = turn.filter((uid) => uid <= turnAfter)
  return (again.length > 0 ? again : turn).toSorted().at(-1) ?? '0x'
}

type Standing = { uid: Hex; version: number } & Pick<Candidate, 'newestLabel' | 'newestReason'>

const selectStandings = async (database: Database, chainId: number, condition: SQL | undefined, limit: BookLimit) => {
  const newest = database
    .select({ label: sql<ProgressLabel>`${orderEvents.label}`.as('label'), reason: orderEvents.reason })
    .from(orderEvents)
    .where(and(eq(orderEvents.chainId, orders.chainId), eq(orderEvents.orderUid, orders.uid), isProgressEvent))
    .orderBy(desc(orderEvents.id))
    .limit(1)
    .as('newest')
  const isOpenEntry = and(eq(auctionEntries.chainId, chainId), isNull(auctionEntries.leftAuctionId))
  // the limits force index look-ups; without statistics Postgres would loop over all rows
  const listed = database
    .select({ isCandidate: sql<boolean>`${condition}`.as('is_candidate') })
    .from(orders)
    .where(and(eq(orders.chainId, chainId), eq(orders.uid, auctionEntries.orderUid)))
    .limit(1)
    .as('listed')
  const [book, departed, inFlight, failures] = await database.batch([
    database
      .select({
        uid: orders.uid,
        version: orders.version,
        entered: sql<string | null>`book.entered`,
        inTurn: sql<boolean | null>`book.in_turn`,
        newestLabel: newest.label,
        newestReason: newest.reason,
      })
      .from(sql`(${openBook(chainId, condition, limit)}) as book`)
      .innerJoin(orders, and(eq(orders.chainId, chainId), sql`${orders.uid} = book.uid`))
      .leftJoinLateral(newest, sql`true`)
      .orderBy(newestFirst(orders.createdAt), orders.uid),
    database
      .select({ uid: auctionEntries.orderUid })
      .from(auctionEntries)
      .leftJoinLateral(listed, sql`true`)
      .where(and(isOpenEntry, sql`${listed.isCandidate} is not true`)),
    database.select({ uid: orderUidInFlight }).from(sql`${ordersInFlight(chainId)} as in_flight`),
    // last: an order that is no longer in flight has its failure here
    selectSettlementFailures(database, chainId),
  ])
  return {
    book,
    departed: departed.map(({ uid }) => uid),
    inFlight: new Set(inFlight.map(({ uid }) => uid)),
    findFailures: groupFailures(failures),
  }
}

const selectOrders = async (
  database: Database,
  chainId: number,
  wanted: readonly Standing[],
): Promise<Map<Hex, Pick<KnownCandidate, 'order' | 'quote' | 'version' | 'funding'>>> => {
  const read: Awaited<ReturnType<typeof selectOrders>> = new Map()
  for (let i = 0; i < wanted.length; i += pageSize) {
    const page = await selectPage(database, chainId, wanted.slice(i, i + pageSize))
    for (const { document, ...row } of page) read.set(row.order.uid, { ...row, funding: toFunding(document) })
  }
  return read
}

const selectPage = (database: Database, chainId: number, wanted: readonly Standing[]) =>
  database
    .select({ order: candidateColumns, version: orders.version, quote: quoteColumns, document: fundingDocument })
    .from(orders)
    .leftJoin(appData, eq(appData.hash, orders.appDataHash))
    .leftJoin(orderQuotes, and(eq(orderQuotes.chainId, orders.chainId), eq(orderQuotes.orderUid, orders.uid)))
    .where(and(eq(orders.chainId, chainId), sql`${orders.uid} in ${uidList(wanted.map(({ uid }) => uid))}`))

const toFunding = (document: string | null): Candidate['funding'] => {
  if (document === null) return null
  try {
    const { flashloan, wrappers } = parseAppData(document)
    return flashloan || wrappers.length > 0 ? { flashloan, wrappers } : null
  } catch (error) {
    // stored under earlier rules; one such order must not exclude the others
    if (error instanceof ApiError) return null
    throw error
  }
}

const isCandidate = (chainId: number, now: number, minValiditySeconds: number): SQL | undefined =>
  and(
    eq(orders.chainId, chainId),
    isNull(orders.jitBlock),
    isNull(orders.cancelledAt),
    not(orders.invalidated),
    sql`${lastValidSecond} >= ${now + minValiditySeconds}`,
    isNull(orders.placementError),
    isNull(orders.refundTransactionHash),
    or(isNull(orders.validFrom), lte(orders.validFrom, now)),
    isUnfilled,
  )
