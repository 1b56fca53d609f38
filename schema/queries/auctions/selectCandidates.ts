import { and, eq, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'
import type { CandidateStanding, KnownCandidate } from './candidate.ts'
import type { BookLimit } from './openBook.ts'
import { selectCandidateOrders } from './selectCandidateOrders.ts'
import { selectStandings } from './selectStandings.ts'

/** Maximum number of orders of one cut unless the caller limits it. */
const defaultMaxOrders = 5_000

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
 * @returns `departed`: listed orders that are no longer candidates; of them, `crowdedOut` left only because of the
 *   limit; `turnEnd`: the last order in turn; `isFull`: the limit applied
 */
export const selectCandidates = async (
  database: Database,
  chainId: number,
  now: number,
  minValiditySeconds: number,
  known: ReadonlyMap<Hex, KnownCandidate> = new Map(),
  limit: BookLimit = { maxOrders: defaultMaxOrders, prices: new Map(), turnAfter: '0x' },
): Promise<{ candidates: KnownCandidate[]; departed: Hex[]; crowdedOut: Hex[]; turnEnd: Hex; isFull: boolean }> => {
  const condition = isCandidate(chainId, now, minValiditySeconds)
  const { book, departed, inFlight, findFailures } = await selectStandings(database, chainId, condition, limit)
  const standings = book.filter(({ inTurn }) => inTurn !== null)
  const left = book.flatMap(({ uid, inTurn }) => (inTurn === null ? [uid] : []))
  const isChanged = ({ uid, version }: CandidateStanding) => known.get(uid)?.version !== version
  const changed = await selectCandidateOrders(database, chainId, standings.filter(isChanged))
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
          sellInFlight: inFlight.get(uid) ?? 0n,
          entered,
          newestLabel,
          newestReason,
          settlementFailures: findFailures(order),
        },
      ]
    }),
    departed: [...departed, ...left],
    crowdedOut: left.filter((uid) => !inFlight.has(uid)),
    turnEnd: findTurnEnd(standings, limit),
    isFull: book.some(({ isFull }) => isFull),
  }
}

/** The turn begins behind `turnAfter` and continues from the first UID. */
const findTurnEnd = (standings: readonly { uid: Hex; inTurn: boolean | null }[], { turnAfter }: BookLimit): Hex => {
  const turn = standings.filter(({ inTurn }) => inTurn).map(({ uid }) => uid)
  const again = turn.filter((uid) => uid <= turnAfter)
  return (again.length > 0 ? again : turn).toSorted().at(-1) ?? '0x'
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
