import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '#schema/client.ts'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { newOrder } from '../newOrder.ts'

/** The newest indexed block of `insertLifecycle`. */
export const lifecycleHead = 1_000

type Terms = {
  chainId: number
  /** of the first event; the others follow within a second each */
  createdAt: Date
  labels: readonly (typeof orderEvents.$inferInsert)['label'][]
  /** of the last event */
  blockNumber?: number
  ends?: 'fulfilled' | 'cancelled' | 'expired'
}

/** An order with exactly these events; a `ready` has figures, a `filtered` a reason. Returns its UID. */
export const insertLifecycle = async (database: Database, seed: number, terms: Terms): Promise<Hex> => {
  const { chainId, createdAt, labels, blockNumber = 10, ends } = terms
  const expired = ends === 'expired' ? { validTo: Math.floor(createdAt.getTime() / 1_000) + 60 } : {}
  const order = newOrder(seed, { chainId, sellAmount: 1_000n, buyAmount: 1_000n, ...expired })
  await insertOrder(database, order)
  const uid = sql`decode(${order.uid.slice(2)}, 'hex')`
  await database.execute(sql`delete from order_events where chain_id = ${chainId} and order_uid = ${uid}`)
  await database.execute(sql`update orders set created_at = ${createdAt.toISOString()}::timestamptz
    where chain_id = ${chainId} and uid = ${uid}`)
  if (ends === 'fulfilled' || ends === 'cancelled') {
    const change =
      ends === 'fulfilled' ? sql`executed_sell_amount = 1000, executed_buy_amount = 1100` : sql`cancelled_at = now()`
    await database.execute(sql`update orders set ${change} where chain_id = ${chainId} and uid = ${uid}`)
  }
  await database
    .insert(blocks)
    .values({ chainId, number: lifecycleHead, hash: `0x${'b0'.repeat(32)}`, timestamp: createdAt })
    .onConflictDoNothing()
  await database.insert(orderEvents).values(
    labels.map((label, i) => ({
      ...{ chainId, orderUid: order.uid, label, key: i === 0 ? label : `${label}:${i}` },
      createdAt: new Date(createdAt.getTime() + i * 900),
      reason: label === 'filtered' ? 'in_flight' : null,
      auctionId: i === 0 ? null : i,
      blockNumber: i === labels.length - 1 ? blockNumber : null,
      data: label === 'ready' ? { sellAmount: '1000', price: 1.5 } : null,
    })),
  )
  return order.uid
}
