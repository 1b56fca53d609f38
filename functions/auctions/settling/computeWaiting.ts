import type { Hex } from 'viem'

/**
 * Orders of an auction, each with the block since which it has been in every auction. A won order leaves the auctions,
 * and restarts when it returns.
 * @param former orders of the previous auction
 */
export const computeWaiting = (
  former: ReadonlyMap<Hex, number>,
  { orders, block }: { orders: Pick<ReadonlyMap<Hex, unknown>, 'keys'>; block: number },
): ReadonlyMap<Hex, number> =>
  // a reorganisation can move the block back
  new Map([...orders.keys()].map((uid) => [uid, Math.min(former.get(uid) ?? block, block)]))
