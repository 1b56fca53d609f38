import { type SQL, sql } from 'drizzle-orm'
import { findFinality } from '#shared/chain/finality.ts'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { feePolicies } from '../../tables/auctions/feePolicies.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'

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
 * The oldest competitions of one day that can be archived: from before a time, final as in `isFinal`, and not archived
 * yet. Reads only the auctions within the limits.
 */
export const selectArchivableCompetitions = async (
  database: Database,
  chainId: number,
  createdBefore: Date,
  limits: PartLimits,
): Promise<CompetitionLine[]> => {
  const { rows } = await database.execute<Omit<CompetitionLine, 'id'> & { id: string }>(sql`
    with found as (
      select a.id, to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, ${competitionLineOf(chainId)} as line
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

/**
 * The competition of auction `a` as text; the same for the same rows. Its id comes first, since `jsonb` sorts keys by
 * length.
 */
export const competitionLineOf = (chainId: number): SQL => sql`jsonb_build_object(
  'id', a.id, 'prices', a.prices, 'leftOut', a.left_out,
  'solutions', (
    select coalesce(jsonb_agg(jsonb_build_object('uid', s.uid, 'solutionId', s.solution_id::text,
      'solver', '0x' || encode(s.solver, 'hex'), 'isWinner', s.is_winner, 'filteredOut', s.filtered_out,
      'score', s.score::text, 'referenceScore', s.reference_score::text, 'responseMs', s.response_ms)
      order by s.uid), '[]')
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
