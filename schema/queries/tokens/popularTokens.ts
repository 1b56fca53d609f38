import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'

/** Of a busier month the newest count: what is traded most now is among them. */
const maxTrades = 20_000

/**
 * The tokens that most trades of the last 30 days sold or bought, those first; the native token is not one of them.
 * @param limit of the answer
 */
export const selectPopularTokens = async (database: Database, chainId: number, limit: number): Promise<Address[]> => {
  const { rows } = await database.execute<{ token: Address }>(sql`
    select '0x' || encode(token, 'hex') as token
    from (${selectNewestTrades(chainId)}) as newest, unnest(array[sell_token, buy_token]) as token
    where token <> decode(repeat('ee', 20), 'hex')
    group by token order by count(*) desc, token limit ${limit}`)
  return rows.map(({ token }) => token)
}

/** A trade has no time of its own: the first settlement of the window says from which block on. */
const selectNewestTrades = (chainId: number): SQL => sql`
  select sell_token, buy_token from ${trades}
  where chain_id = ${chainId} and block_number >= (
    select block_number from ${settlements} where chain_id = ${chainId} and settled_at >= now() - interval '30 days'
    order by settled_at limit 1)
  order by block_number desc, log_index desc limit ${maxTrades}`
