import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { feePolicies } from '../../tables/auctions/feePolicies.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { orderKey } from '../fragments/orderKey.ts'
import { type CompetitionLine, competitionLineOf } from './archivedCompetitions.ts'

/**
 * Deletes what the archive object `key` contains, in one statement: only of auctions whose line still has the digest
 * with which it was written, and that no other object contains. Retained for the attribution of settlements, surplus,
 * affiliates and lists: winning solutions and their orders, prices of traded tokens, and the key of each other order,
 * by which its debug report finds the auction.
 * @returns the number of these auctions
 */
export const deleteArchivedCompetitions = async (
  database: Database,
  chainId: number,
  key: string,
  lines: readonly Pick<CompetitionLine, 'id' | 'digest'>[],
): Promise<number> => {
  const list = JSON.stringify(lines.map(({ id, digest }) => [id, digest]))
  const { rows } = await database.execute<{ moved: number }>(sql`
    with written as (
      select (value->>0)::bigint as id, value->>1 as digest from jsonb_array_elements(${list}::jsonb)
    ),
    unchanged as materialized (
      select written.id from written cross join lateral (
        select md5(${competitionLineOf(chainId)}) as digest from ${auctions} as a
        where a.chain_id = ${chainId} and a.id = written.id and a.archive_key is null offset 0) as stored
      where stored.digest = written.digest
    ),
    moved as (
      update ${auctions} as a
      set archive_key = ${key}, left_out = '[]',
        solution_count = (select count(*) from ${solutions} as s where s.chain_id = ${chainId} and s.auction_id = a.id),
        losing_orders = (select array_agg(${orderKey(sql`lost.order_uid`)}) from (
          select o.order_uid from ${solutionOrders} as o
          join ${solutions} as s on s.chain_id = ${chainId} and s.auction_id = o.auction_id and s.uid = o.solution_uid
          where o.chain_id = ${chainId} and o.auction_id = a.id group by 1 having not bool_or(s.is_winner)) as lost),
        prices = (select coalesce(jsonb_object_agg(p.key, p.value), '{}') from jsonb_each(a.prices) as p
          where p.key in (select '0x' || encode(token, 'hex') from (${tradedTokens(chainId)}) as traded))
      where a.chain_id = ${chainId} and a.id = any(array(select id from unchanged)) and a.archive_key is null
      returning a.id
    ),
    without_orders as (
      delete from ${solutionOrders} as o using moved
      where o.chain_id = ${chainId} and o.auction_id = moved.id
        and not ${isWinning(chainId, sql`o.solution_uid`)}
    ),
    without_policies as (
      delete from ${feePolicies} as f using moved
      where f.chain_id = ${chainId} and f.auction_id = moved.id
        and not exists (select 1 from ${solutionOrders} as o where o.chain_id = ${chainId}
          and o.order_uid = f.order_uid and o.auction_id = moved.id and ${isWinning(chainId, sql`o.solution_uid`)})
        and not exists (select 1 from ${executions} as e where e.chain_id = ${chainId} and e.auction_id = moved.id
          and e.order_uid = f.order_uid)
    ),
    without_solutions as (
      delete from ${solutions} as s using moved
      where s.chain_id = ${chainId} and s.auction_id = moved.id and not s.is_winner
    )
    select count(*)::integer as moved from moved`)
  return rows[0]?.moved ?? 0
}

/** Solution `uid` of the auction `moved.id` won: a look-up by the key, which no plan turns into a join. */
const isWinning = (chainId: number, uid: SQL): SQL => sql`coalesce((
  select won.is_winner from ${solutions} as won
  where won.chain_id = ${chainId} and won.auction_id = moved.id and won.uid = ${uid}), false)`

/** Tokens of the winning orders of auction `a`, and of all trades in its settlements. */
const tradedTokens = (chainId: number): SQL => sql`
  select unnest(array[o.sell_token, o.buy_token]) as token from ${solutionOrders} as o
  join ${solutions} as s on s.chain_id = ${chainId} and s.auction_id = o.auction_id and s.uid = o.solution_uid
    and s.is_winner
  where o.chain_id = ${chainId} and o.auction_id = a.id
  union
  select unnest(array[t.sell_token, t.buy_token]) from ${settlements} as st
  join ${trades} as t on t.chain_id = ${chainId} and t.block_number = st.block_number
    and t.settlement_log_index = st.log_index
  where st.chain_id = ${chainId} and st.auction_id = a.id`
