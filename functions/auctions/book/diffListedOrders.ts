import type { Hex } from 'viem'
import type { ListedOrder } from '#schema/queries/auctions/auctions.ts'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'

/**
 * Difference between the auction's orders and the stored list.
 * @param before list last stored by this clock; orders unknown to it are stored again
 * @param listed JSON text of the orders for solvers, by UID
 */
export const diffListedOrders = (
  candidates: readonly Candidate[],
  departed: readonly Hex[],
  before: ReadonlyMap<Hex, string>,
  listed: ReadonlyMap<Hex, string>,
): { entered: ListedOrder[]; changed: ListedOrder[]; left: Hex[] } => {
  const entered: ListedOrder[] = []
  const changed: ListedOrder[] = []
  const left = [...departed]
  for (const candidate of candidates) {
    const { uid } = candidate.order
    const body = listed.get(uid)
    if (body === undefined) {
      if (candidate.entered) left.push(uid)
    } else if (!candidate.entered) entered.push({ uid, body })
    else if (before.get(uid) !== body) changed.push({ uid, body })
  }
  return { entered, changed, left }
}
