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
    complete: (request: SolveChanges): SolveRequest | undefined => {
      if (request.kind !== 'delta') {
        held = { id: request.id, orders: new Map(request.orders.map((order) => [order.uid, order])) }
        return request
      }
      const { base, updatedOrders, removedOrders, ...auction } = request
      if (base !== held?.id) return undefined
      const orders = new Map(held.orders)
      for (const uid of removedOrders) orders.delete(uid)
      for (const order of updatedOrders) orders.set(order.uid, order)
      held = { id: request.id, orders }
      return { ...auction, kind: 'full', orders: [...orders.values()] }
    },
  }
}
