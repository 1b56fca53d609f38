import { eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'

/**
 * The trade is one of an account: in an order that it owns, or that a contract placed on-chain for it. The UIDs are an array, so
 * that both sides are index look-ups, whatever Postgres thinks of a join.
 */
export const isTradeOf = (chainId: number, account: Address): SQL =>
  sql`(${eq(trades.owner, account)} or ${trades.orderUid} = any(array(
    select uid from ${orders} where chain_id = ${chainId} and onchain_user = ${sql.param(account, orders.onchainUser)})))`
