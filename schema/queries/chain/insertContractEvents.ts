import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { orderPlacements } from '../../tables/chain/orderPlacements.ts'
import { orderRefunds } from '../../tables/chain/orderRefunds.ts'
import { orders } from '../../tables/orders/orders.ts'

type Place = { blockNumber: number; logIndex: number }

/** Events of placement contracts in a range of blocks. */
export type OnchainOrderEvents = {
  placements: Omit<typeof orderPlacements.$inferInsert, 'chainId'>[]
  /** the orders of the placements, each with its `onchainUser` */
  placedOrders: Omit<typeof orders.$inferInsert, 'chainId'>[]
  /** orders that `contract` ended */
  cancellations: (Place & { contract: Address; orderUid: Hex; transactionHash: Hex })[]
  /** orders whose unsold amount `contract` refunded */
  refunds: (Place & { contract: Address; orderUid: Hex; transactionHash: Hex })[]
}

/** `contract` owns the order or placed it. */
const isOfContract = sql`(substring(e.uid from 33 for 20) = e.contract or exists (
  select 1 from ${orderPlacements} p join ${orders} o on o.chain_id = p.chain_id and o.uid = p.order_uid
  where p.chain_id = e.chain_id and p.order_uid = e.uid and p.contract = e.contract and o.onchain_user is not null))`

const eventList = (chainId: number, rows: OnchainOrderEvents['refunds']) => {
  const list = rows.map(({ contract, orderUid, transactionHash, ...place }) => ({
    ...place,
    contract: contract.slice(2),
    uid: orderUid.slice(2),
    transactionHash: transactionHash.slice(2),
  }))
  return sql`(
    select ${chainId}::integer as chain_id, (value->>'blockNumber')::bigint as block_number,
      (value->>'logIndex')::integer as log_index, decode(value->>'contract', 'hex') as contract,
      decode(value->>'uid', 'hex') as uid, decode(value->>'transactionHash', 'hex') as transaction_hash
    from jsonb_array_elements(${JSON.stringify(list)}::jsonb))`
}

/** Adds orders that their contract ended. */
export const insertCancellations = (database: Database, chainId: number, rows: OnchainOrderEvents['cancellations']) =>
  database.execute(sql`
    insert into ${invalidations} (chain_id, block_number, log_index, owner, order_uid, transaction_hash)
    select e.chain_id, e.block_number, e.log_index, e.contract, e.uid, e.transaction_hash
    from ${eventList(chainId, rows)} as e
    where ${isOfContract}
    on conflict do nothing`)

/** Adds refunds by contracts. */
export const insertRefunds = (database: Database, chainId: number, rows: OnchainOrderEvents['refunds']) =>
  database.execute(sql`
    insert into ${orderRefunds} (chain_id, block_number, log_index, order_uid, transaction_hash)
    select e.chain_id, e.block_number, e.log_index, e.uid, e.transaction_hash
    from ${eventList(chainId, rows)} as e
    where ${isOfContract}
    on conflict do nothing`)
