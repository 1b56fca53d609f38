import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { tradeCarries } from '../../tables/affiliate/tradeCarries.ts'
import type { TradesToCarry } from './carriedTrades.ts'

/** Records in the network's database what was copied, unless blocks were undone since it was read. */
export const markTradesCarried = (database: Database, chainId: number, { reach, undone }: TradesToCarry) =>
  database.execute(sql`
    update ${tradeCarries} set block = greatest(block, ${reach}::bigint)
    where chain_id = ${chainId} and undone = ${undone}`)

/** Undoes the copies of blocks from `from` on; in the transaction that undoes the blocks. */
export const lowerTradeCarry = (database: Database, chainId: number, from: number) =>
  database.execute(sql`
    update ${tradeCarries} set block = least(block, ${from - 1}::bigint), undone = undone + 1 where chain_id = ${chainId}`)
