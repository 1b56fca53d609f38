import { type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { solutions } from '../../tables/auctions/solutions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'

export type NetworkAuction = {
  id: number
  block: number
  deadlineBlock: number
  createdAt: string
  /** null: recorded before the number was stored */
  orderCount: number | null
  solutionCount: number
  /** in the order of the ranking; `score` in wei as a decimal string */
  winners: {
    solver: Address
    score: string
    /** as in `settlement_attempts`; null while it runs */
    outcome: string | null
    transactionHash: Hex | null
  }[]
}

/**
 * Auctions with at least one valid solution, newest first. Each reads its own solutions by the key.
 * @param before exclusive upper bound of the ids
 * @param onlyPast leaves out auctions before their deadline
 */
export const selectNetworkAuctions = async (
  database: Database,
  chainId: number,
  { before, limit, onlyPast = false }: { before?: number | undefined; limit: number; onlyPast?: boolean },
): Promise<NetworkAuction[]> => {
  const { rows } = await database.execute<{ auction: NetworkAuction }>(sql`
    select jsonb_build_object('id', a.id, 'block', a.block, 'deadlineBlock', a.deadline_block,
      'createdAt', to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'orderCount', a.order_count,
      'solutionCount', coalesce(a.solution_count, s.count), 'winners', s.winners) as auction
    from (
      select id, block, deadline_block, created_at, order_count, solution_count from ${auctions}
      where chain_id = ${chainId} ${before === undefined ? sql`` : sql`and id < ${before}`}
        ${onlyPast ? sql`and deadline_block <= (select max(number) from ${blocks} where chain_id = ${chainId})` : sql``}
      order by id desc limit ${limit}) as a
    cross join lateral (${selectSolutions(chainId)}) as s
    order by a.id desc`)
  return rows.map(({ auction }) => auction)
}

/** A settled solution may have several settlements only by a fault of its solver; the first one counts. */
const selectSolutions = (chainId: number): SQL => sql`
  select count(*), coalesce(jsonb_agg(jsonb_build_object('solver', '0x' || encode(b.solver, 'hex'),
    'score', b.score::text, 'outcome', t.outcome, 'transactionHash', '0x' || encode(h.transaction_hash, 'hex'))
    order by b.uid) filter (where b.is_winner), '[]') as winners
  from ${solutions} as b
  left join ${settlementAttempts} as t on b.is_winner and t.chain_id = ${chainId} and t.auction_id = b.auction_id
    and t.solution_uid = b.uid
  left join lateral (
    select transaction_hash from ${settlements}
    where b.is_winner and chain_id = ${chainId} and auction_id = b.auction_id and solution_uid = b.uid
    order by block_number, log_index limit 1) as h on true
  where b.chain_id = ${chainId} and b.auction_id = a.id`
