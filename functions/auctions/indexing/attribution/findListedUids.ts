import type { Hex } from 'viem'
import { selectListedUids } from '#schema/queries/auctions/listedOrders.ts'
import type { WinningSolution } from '#schema/queries/auctions/solutions.ts'
import type { AttributionDeps, RawSettlement } from './traceNested.ts'

/** Traded orders that are stored: orders of winners are known, so most blocks need no query. */
export const findListedUids = async (
  { database, network }: AttributionDeps,
  settled: readonly RawSettlement[],
  winners: readonly WinningSolution[],
): Promise<ReadonlySet<Hex>> => {
  if (winners.length === 0) return new Set()
  const won = winners.flatMap(({ orders }) => orders)
  const known = new Set(won.map(({ uid }) => uid))
  const others = settled
    .flatMap(({ trades }) => trades.map(({ orderUid }) => orderUid))
    .filter((uid) => !known.has(uid))
  const listed = await selectListedUids(database, network.chainId, others)
  return new Set([...listed, ...won.flatMap(({ uid, isJit }) => (isJit ? [] : [uid]))])
}
