import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { accountSurplus } from '../../tables/settlements/accountSurplus.ts'
import { gainOfTrade, tradesOfAccount } from './accountSurplus.ts'

/**
 * Total surplus of an account over limit prices, in orders that it owns or had placed on-chain, valued at the prices of
 * the settling auctions: ⌊ Σ trades: surplus · auction price of the surplus token / 10^18 ⌋ in whole numbers, rounded
 * down once, at the end. Each trade counts once, in its own auction, as soon as its settlement is attributed to that
 * auction; a trade in a token without a proven price adds nothing, and any other at most its value. (The public system
 * joins executions by order alone, so each trade of an order filled in k auctions counts k times there.) Reads the
 * stored sum and the trades after it.
 * @returns wei; 0 for an owner without trades
 */
export const selectTotalSurplus = async (database: Database, chainId: number, owner: Address): Promise<bigint> => {
  const account = sql`${sql.param(owner, accountSurplus.account)}`
  const after = sql`coalesce((select through_block from known), -1)`
  const { rows } = await database.execute<{ total: string }>(sql`
    with known as (
      select total, through_block from ${accountSurplus} where chain_id = ${chainId} and account = ${account}
    )
    select div(coalesce((select total from known), 0) + coalesce(sum(${gainOfTrade(chainId)}), 0),
      1000000000000000000)::text as total
    from ${tradesOfAccount(chainId, account, after)} as place`)
  return BigInt(rows[0]?.total ?? 0)
}
