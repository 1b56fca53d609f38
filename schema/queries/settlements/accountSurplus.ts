import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { accountSurplus } from '../../tables/settlements/accountSurplus.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { settlementOfTrade } from '../fragments/joins.ts'
import { surplusValue } from '../fragments/surplusOfTrade.ts'

/**
 * Trades of an account in a range of blocks, as rows `block_number, log_index`: of orders that it owns or had placed
 * on-chain, each trade once.
 * @param account its address
 * @param after the last block before the range
 * @param isInRange another condition on `block_number`
 */
export const tradesOfAccount = (chainId: number, account: SQL, after: SQL, isInRange: SQL = sql`true`): SQL => sql`(
  select block_number, log_index from ${trades}
  where chain_id = ${chainId} and owner = ${account} and block_number > ${after} and ${isInRange}
  union
  select block_number, log_index from ${tradeValues}
  where chain_id = ${chainId} and trader = ${account} and block_number > ${after} and ${isInRange})`

/**
 * Surplus of the trade at `place.block_number, place.log_index`, 10^-18 wei; null unless its order is known, its
 * settlement is attributed to an auction with proven prices of both tokens, and its charges are stored. A subquery for
 * each trade: a join would be planned for a third of the account's history.
 */
export const gainOfTrade = (chainId: number): SQL => sql`(
  select ${surplusValue(chainId)} from ${trades}
  join ${orders} on ${and(eq(orders.chainId, trades.chainId), eq(orders.uid, trades.orderUid))}
  join ${settlements} on ${settlementOfTrade}
  join ${executions} on ${and(
    eq(executions.chainId, trades.chainId),
    eq(executions.auctionId, settlements.auctionId),
    eq(executions.orderUid, trades.orderUid),
  )}
  join ${auctions} on ${and(eq(auctions.chainId, trades.chainId), eq(auctions.id, settlements.auctionId))}
  where ${trades.chainId} = ${chainId} and ${trades.blockNumber} = place.block_number
    and ${trades.logIndex} = place.log_index)`

/**
 * Adds trades up to block `last` to the sums of the accounts that traded in `first` to `last`. Running it again adds
 * nothing, because a sum knows its newest trade. Trades after `last` may still be undone and stay out of the sums.
 */
export const advanceAccountSurplus = (database: Database, chainId: number, first: number, last: number) => {
  const inRange = sql`chain_id = ${chainId} and block_number between ${first} and ${last}`
  const after = sql`coalesce(known.through_block, -1)`
  return database.execute(sql`
    insert into ${accountSurplus} as stored (chain_id, account, through_block, total)
    select ${chainId}, moved.account, added.through_block, added.total
    from (
      select owner as account from ${trades} where ${inRange}
      union select trader from ${tradeValues} where ${inRange}
    ) as moved
    left join ${accountSurplus} as known on known.chain_id = ${chainId} and known.account = moved.account
    cross join lateral (
      select max(block_number) as through_block, coalesce(sum(${gainOfTrade(chainId)}), 0) as total
      from ${tradesOfAccount(chainId, sql`moved.account`, after, sql`block_number <= ${last}`)} as place
    ) as added
    where added.through_block is not null
    on conflict (chain_id, account) do update
      set total = stored.total + excluded.total, through_block = excluded.through_block`)
}

/**
 * Forgets the sums that contain trades of `from` or later. Only a reorganisation deeper than the stored blocks reaches
 * them; the next trade of such an account makes its sum again.
 */
export const deleteAccountSurplusFrom = (database: Database, chainId: number, from: number) =>
  database
    .delete(accountSurplus)
    .where(and(eq(accountSurplus.chainId, chainId), gte(accountSurplus.throughBlock, from)))
