import type { Hex } from 'viem'

type Orders = readonly { uid: Hex }[]

export type Turns = {
  /**
   * Begins an auction.
   * @returns finds the number of auctions in a row that simulated an order before; of several orders the fewest
   */
  begin: (auctioned: Orders) => (orders: Orders) => number
  /** Counts orders that this auction simulates. */
  note: (orders: Orders) => void
}

/**
 * Turns of the orders that compete for simulations and proposals. Both go to what promises most, and strangers promise at
 * no cost: orders that revert in the simulation, or in the check of the auction. An order that was simulated and is in
 * the next auction again comes behind those that were simulated less often. A win ends its count, because it leaves the
 * auctions. The counts are those of one isolate, and losing them costs time only.
 */
export const createTurns = (): Turns => {
  const times = new Map<Hex, number>()
  return {
    begin: (auctioned) => {
      const uids = new Set(auctioned.map(({ uid }) => uid))
      for (const uid of times.keys()) if (!uids.has(uid)) times.delete(uid)
      const before = new Map(times)
      return (orders) => Math.min(...orders.map(({ uid }) => before.get(uid) ?? 0))
    },
    note: (orders) => {
      for (const { uid } of orders) times.set(uid, (times.get(uid) ?? 0) + 1)
    },
  }
}
