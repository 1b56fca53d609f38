import type { Hex } from 'viem'
import type { ListedOrder } from '#schema/queries/auctions/auctions.ts'
import type { Candidate } from '#schema/queries/auctions/solvableOrders.ts'

/**
 * How the list of the auction's orders differs from the one that is stored.
 * @param before what this clock stored last; an order that it does not know is stored again
 * @param listed by UID, the JSON text of what solvers get
 */
export const computeListing = (
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
