import { type SQL, sql } from 'drizzle-orm'
import { findFinality } from '#shared/chain/finality.ts'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { feePolicies } from '../../tables/auctions/feePolicies.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { orderKey } from '../fragments/orderKey.ts'

/** A competition to be archived: one line of JSON, and the MD5 digest by which the database recognises it. */
export type CompetitionLine = {
  id: number
  /** UTC, `2026-01-31` */
  day: string
  /** `archivedCompetitionSchema`, the id first */
  line: string
  digest: string
}

/** Bounds of one archive object: auctions, and bytes of its lines beyond the first one. */
export type PartLimits = { auctions: number; bytes: number }

/**
 * The oldest competitions of one day that can be archived: from before a time, final as in `isFinal`, and not archived yet.
 * Reads only the auctions within the limits.
 */
export const selectArchivableCompetitions = async (
  database: Database,
  chainId: number,
  createdBefore: Date,
  limits: PartLimits,
): Promise<CompetitionLine[]> => {
  const { rows } = await database.execute<Omit<CompetitionLine, 'id'> & { id: string }>(sql`
    with found as (
      select a.id, to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, ${lineOf(chainId)} as line
      from ${auctions} as a
      where a.chain_id = ${chainId} and a.archive_key is null
        and a.created_at < ${createdBefore.toISOString()}::timestamptz and ${isFinal(chainId)}
      order by a.id limit ${limits.auctions}
    ),
    sized as (
      select *, first_value(day) over by_id as first_day, sum(octet_length(line)) over by_id as bytes,
        row_number() over by_id as place
      from found window by_id as (order by id)
    )
    select id, day, line, md5(line) as digest from sized
    where day = first_day and (place = 1 or bytes <= ${limits.bytes}) order by id`)
  return rows.map((row) => ({ ...row, id: Number(row.id) }))
}

/**
 * Deletes what the archive object `key` contains, in one statement: only of auctions whose line still has the digest with
 * which it was written, and that no other object contains. Kept for the attribution of settlements, surplus, affiliates and
 * lists: winning solutions and their orders, prices of traded tokens, and the key of each other order, by which its debug
 * report finds the auction.
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
        select md5(${lineOf(chainId)}) as digest from ${auctions} as a
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

/** Auction `a` is final: neither its solvers nor a reorganisation change it. */
const isFinal = (chainId: number): SQL => {
  const isTooOld = (block: SQL) =>
    sql`${block} < (select max(number) - ${findFinality(chainId).finalBlocks}::bigint from ${blocks} where chain_id = ${chainId})`
  return sql`${isTooOld(sql`a.deadline_block`)} and not exists (
    select 1 from ${solutions} as s
    left join ${settlementAttempts} as t on t.chain_id = ${chainId} and t.auction_id = s.auction_id
      and t.solution_uid = s.uid
    where s.chain_id = ${chainId} and s.auction_id = a.id and s.is_winner
      and (t.outcome is null or not ${isTooOld(sql`coalesce(t.end_block, 0)`)}))`
}

/** The competition of auction `a` as text; the same for the same rows. Its id comes first, since `jsonb` sorts keys by length. */
const lineOf = (chainId: number): SQL => sql`jsonb_build_object(
  'id', a.id, 'prices', a.prices, 'leftOut', a.left_out,
  'solutions', (
    select coalesce(jsonb_agg(jsonb_build_object('uid', s.uid, 'solutionId', s.solution_id::text,
      'solver', '0x' || encode(s.solver, 'hex'), 'isWinner', s.is_winner, 'filteredOut', s.filtered_out,
      'score', s.score::text, 'referenceScore', s.reference_score::text) order by s.uid), '[]')
    from ${solutions} as s where s.chain_id = ${chainId} and s.auction_id = a.id),
  'orders', (
    select coalesce(jsonb_agg(jsonb_build_object('solutionUid', o.solution_uid,
      'orderUid', '0x' || encode(o.order_uid, 'hex'), 'side', o.side, 'sellToken', '0x' || encode(o.sell_token, 'hex'),
      'buyToken', '0x' || encode(o.buy_token, 'hex'), 'limitSell', o.limit_sell::text, 'limitBuy', o.limit_buy::text,
      'executedSell', o.executed_sell::text, 'executedBuy', o.executed_buy::text, 'protocolFees', o.protocol_fees)
      order by o.solution_uid, o.order_uid), '[]')
    from ${solutionOrders} as o where o.chain_id = ${chainId} and o.auction_id = a.id),
  'feePolicies', (
    select coalesce(jsonb_agg(jsonb_build_object('orderUid', '0x' || encode(f.order_uid, 'hex'), 'kind', f.kind,
      'surplusFactor', f.surplus_factor, 'surplusMaxVolumeFactor', f.surplus_max_volume_factor,
      'volumeFactor', f.volume_factor, 'priceImprovementFactor', f.price_improvement_factor,
      'priceImprovementMaxVolumeFactor', f.price_improvement_max_volume_factor)
      order by f.order_uid, f.application_order), '[]')
    from ${feePolicies} as f where f.chain_id = ${chainId} and f.auction_id = a.id))::text`
