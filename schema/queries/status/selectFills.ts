import { type SQL, sql } from 'drizzle-orm'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'

/** The time of a trade is that of its settlement. */
export const selectFills = (chainId: number, since: SQL): SQL => sql`(
  select s.settled_at from ${settlements} as s
  join ${trades} as t on t.chain_id = s.chain_id and t.block_number = s.block_number
    and t.settlement_log_index = s.log_index
  where s.chain_id = ${chainId} and s.settled_at >= ${since})`
