import type { Hex } from 'viem'
import { listChainEvents } from '../oracle/listChainEvents.ts'
import type { World } from '../world.ts'
import { expectEqual, Violation } from './violation.ts'

/** blocks compared after each block: more than any reorganisation of a run */
const window = 70

const unprefix = (bytes: string | null | undefined): Hex => `0x${(bytes ?? '').replace(/^\\x/, '')}`

/**
 * Each trade up to the index's cursor has one valid notification, and no other has one; each invalidation of an order
 * without trades has one; a filled order has no valid notification of a cancellation.
 */
export const checkNotified = async ({ chain, database, orders }: World, cursor: number): Promise<void> => {
  const from = Math.max(0, cursor - window)
  const rows = await database.read(
    `select order_uid, type, key from notifications
      where block_number >= $1 and retracted_at is null
        and type in ('order_filled', 'order_partially_filled')`,
    [String(from)],
  )
  const events = listChainEvents(chain.blocks.slice(from, cursor + 1))
  const trades = events.filter(({ name }) => name === 'Trade')
  const toLines = (lines: string[]) => lines.toSorted().join('\n')
  expectEqual(
    'notified',
    `the notifications of trades in the blocks ${from} to ${cursor}`,
    toLines(rows.map(({ order_uid, key }) => `0x${key?.split(':')[0]} ${unprefix(order_uid)}`)),
    toLines(
      trades.map((event) => (event.name === 'Trade' ? `${event.receipt.transaction.hash} ${event.args.orderUid}` : '')),
    ),
  )
  const cancelled = await database.read(
    `select order_uid from notifications where type = 'order_cancelled' and retracted_at is null`,
  )
  const both = await database.read(
    `select order_uid from notifications where type in ('order_cancelled', 'order_filled') and retracted_at is null
      group by order_uid having count(distinct type) > 1`,
  )
  if (both[0]) throw new Violation('notified', 'a filled order is notified as cancelled', unprefix(both[0].order_uid))
  const notified = new Set(cancelled.map(({ order_uid }) => unprefix(order_uid)))
  const hasTraded = (uid: Hex) =>
    listChainEvents(chain.blocks).some((event) => event.name === 'Trade' && event.args.orderUid === uid)
  for (const event of events) {
    if (event.name !== 'OrderInvalidated' && event.name !== 'OrderInvalidation') continue
    const { orderUid } = event.args
    if (orders.has(orderUid) && !notified.has(orderUid) && !hasTraded(orderUid))
      throw new Violation('notified', `no notification of the invalidation in block ${event.block}`, orderUid)
  }
}
