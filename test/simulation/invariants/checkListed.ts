import type { Hex } from 'viem'
import type { Block } from '../chain/createChain.ts'
import { isSigning } from '../wallets.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** blocks between two checks of a signature that was accepted, and some for the auction after it */
const boundBlocks = 24

/** No order stays in the auctions whose contract accepted no signature for some calm blocks: it rejects, or its code is gone. */
export const checkListed = async ({ database, orders, weather }: World, { number }: Block): Promise<void> => {
  if (number % 5 > 0 || number - boundBlocks <= weather.disturbedAt) return
  const blocks = Array.from({ length: boundBlocks }, (_, i) => number - i)
  const unsigned = [...orders.values()].filter(
    ({ owner, scheme, isTrap, placedAt, hook }) =>
      scheme === 'eip1271' &&
      !isTrap &&
      !hook &&
      placedAt <= number - boundBlocks &&
      !blocks.some((block) => isSigning(owner, block)),
  )
  if (unsigned.length === 0) return
  const rows = await database.read('select order_uid from auction_entries where left_auction_id is null')
  const listed = new Set(rows.map(({ order_uid }): Hex => `0x${order_uid?.slice(2)}`))
  const found = unsigned.find(({ uid }) => listed.has(uid))
  if (found)
    throw new Violation(
      'listed',
      `no signature since block ${number - boundBlocks}, in the auctions at ${number}`,
      found.uid,
    )
}
