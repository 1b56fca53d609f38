import { eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'

/**
 * The trade belongs to an account: it owns the order, or a contract placed the order for it. The UIDs are an array, so
 * that Postgres uses index look-ups on both sides instead of a join.
 */
export const isTradeOf = (chainId: number, account: Address): SQL =>
  sql`(${eq(trades.owner, account)} or ${trades.orderUid} = any(array(
    select uid from ${orders} where chain_id = ${chainId} and onchain_user = ${sql.param(account, orders.onchainUser)})))`
