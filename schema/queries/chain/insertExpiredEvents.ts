import { and, eq, isNull, ne, not, or, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { blocks as blockTable } from '../../tables/chain/blocks.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'
import { logEvents } from '../notifications/notifications.ts'
import type { ChainUpdate } from './chainUpdate.ts'

/**
 * Orders whose validity ended between the block before `fromBlock` and block `toBlock`: they can no longer be filled.
 * Runs before the new blocks are stored.
 */
export const insertExpiredEvents = (
  database: Database,
  chainId: number,
  { fromBlock, toBlock, blocks }: ChainUpdate,
) => {
  const [first, last] = [blocks[0], blocks.at(-1)]
  const seconds = (date?: Date) => (date ? Math.floor(date.getTime() / 1_000) : 0)
  return logEvents(
    database,
    sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, block_number)
    select chain_id, uid, 'expired', 'expired', ${toBlock}::bigint
    from ${orders}
    where ${and(
      eq(orders.chainId, chainId),
      sql`${lastValidSecond} < ${seconds(last?.timestamp)}`,
      sql`${lastValidSecond} >= coalesce((
        select extract(epoch from timestamp)::bigint from ${blockTable}
        where chain_id = ${chainId} and number < ${fromBlock} order by number desc limit 1
      ), ${seconds(first?.timestamp)})`,
      isNull(orders.cancelledAt),
      not(orders.invalidated),
      isNull(orders.jitBlock),
      isNull(orders.placementError),
      or(ne(orders.signingScheme, 'presign'), orders.presigned),
      isUnfilled,
    )}
    order by uid
    on conflict do nothing`,
  )
}
