import type { Hex } from 'viem'

/** Removes results of orders that are no longer candidates. */
export const forgetOtherOrders = (cache: Map<Hex, unknown>, orders: readonly { uid: Hex }[]): void => {
  const uids = new Set(orders.map(({ uid }) => uid))
  for (const uid of cache.keys()) {
    if (!uids.has(uid)) cache.delete(uid)
  }
}
