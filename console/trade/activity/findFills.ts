import type { Order } from '../../order/loading/loadOrder.ts'

/**
 * Orders that were filled between two versions of a list.
 * @param before undefined: the list is shown for the first time, so nothing is new
 * @param placed UIDs of orders placed on this page, which count as open before they are listed
 */
export const findFills = (
  before: readonly Order[] | undefined,
  after: readonly Order[],
  placed: ReadonlySet<string>,
): Order[] => {
  if (!before) return []
  const known = new Map(before.map(({ uid, status }) => [uid, status]))
  return after.filter(({ uid, status }) => {
    const last = known.get(uid) ?? (placed.has(uid) ? 'open' : 'fulfilled')
    return status === 'fulfilled' && last !== 'fulfilled'
  })
}
