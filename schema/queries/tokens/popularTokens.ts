import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'

/** Of a busier month only the newest trades are counted, which suffices for a current ranking. */
const maxTrades = 20_000

/**
 * Tokens with most trades of the last 30 days on either side, without the native token.
 * @param limit most tokens returned
 */
export const selectPopularTokens = async (database: Database, chainId: number, limit: number): Promise<Address[]> => {
  const { rows } = await database.execute<{ token: Address }>(sql`
    select '0x' || encode(token, 'hex') as token
    from (${selectNewestTrades(chainId)}) as newest, unnest(array[sell_token, buy_token]) as token
    where token <> decode(repeat('ee', 20), 'hex')
    group by token order by count(*) desc, token limit ${limit}`)
  return rows.map(({ token }) => token)
}

/** Trades have no time of their own: the first settlement of the window gives the first block. */
const selectNewestTrades = (chainId: number): SQL => sql`
  select sell_token, buy_token from ${trades}
  where chain_id = ${chainId} and block_number >= (
    select block_number from ${settlements} where chain_id = ${chainId} and settled_at >= now() - interval '30 days'
    order by settled_at limit 1)
  order by block_number desc, log_index desc limit ${maxTrades}`
