import { type SQL, sql } from 'drizzle-orm'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'

/**
 * Network and protocol fees of a trade, which its price contains: sell token atoms. 0 when its settlement is foreign.
 * @param trade name of a row of trades in the statement
 */
export const executedFeeOf = (trade: SQL): SQL => sql`coalesce((
  select x.executed_fee from ${settlements} as s
  join ${executions} as x on x.chain_id = s.chain_id and x.auction_id = s.auction_id and x.order_uid = ${trade}.order_uid
  where s.chain_id = ${trade}.chain_id and s.block_number = ${trade}.block_number
    and s.log_index = ${trade}.settlement_log_index), 0)`
