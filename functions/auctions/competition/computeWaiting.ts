import type { Hex } from 'viem'

/**
 * Orders of an auction, each with the block since which it has been in every auction. An order that is won leaves the auctions,
 * and begins anew when it returns.
 * @param former of the auction before
 */
export const computeWaiting = (
  former: ReadonlyMap<Hex, number>,
  { orders, block }: { orders: Pick<ReadonlyMap<Hex, unknown>, 'keys'>; block: number },
): ReadonlyMap<Hex, number> =>
  // a reorganisation can move the block back
  new Map([...orders.keys()].map((uid) => [uid, Math.min(former.get(uid) ?? block, block)]))
