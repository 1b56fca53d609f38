import type { Hex } from 'viem'
import type { AuctionOrder, SolveChanges, SolveRequest } from '#shared/solvers/driverApi.ts'

/** Caches the newest auction of one Worker, for requests that contain only changes. */
export type AuctionMemory = ReturnType<typeof createAuctionMemory>

export const createAuctionMemory = () => {
  let held: { id: string; orders: ReadonlyMap<Hex, AuctionOrder> } | undefined
  return {
    /**
     * Completes a request and remembers its auction.
     * @returns undefined when its base is another auction, or was sent to another instance of the Worker
     */
    complete: ({ base, removed, ...request }: SolveChanges): SolveRequest | undefined => {
      if (base !== undefined && base !== held?.id) return undefined
      const orders = new Map(base === undefined ? [] : held?.orders)
      for (const uid of removed) orders.delete(uid)
      for (const order of request.orders) orders.set(order.uid, order)
      held = { id: request.id, orders }
      return { ...request, orders: [...orders.values()] }
    },
  }
}
