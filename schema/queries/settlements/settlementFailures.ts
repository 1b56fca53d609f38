import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { orders } from '../../tables/orders/orders.ts'
import { type Blame, settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlementFailures } from '../../tables/settlements/settlementFailures.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'
import { countFailures } from './countFailures.ts'

/**
 * Closes running attempts as failed and counts the failure for each of their orders, in one statement. Each attempt
 * counts once, however often this runs, and only when it is attributed (`recordBlame`). The block of a failure lies
 * between the start and the deadline of its attempt, whatever a node or solver reports.
 * @param which condition on `settlement_attempts`, besides the chain and the running state
 * @param end `outcome` and `blame` as in `settlement_attempts`; `block` at which the failure became known
 */
export const closeAttemptsAsFailed = (
  database: Database,
  chainId: number,
  which: SQL | undefined,
  end: { outcome: string; block: number; blame: Blame | null },
) =>
  database.execute(sql`
    with closed as (
      update ${settlementAttempts} set outcome = ${end.outcome}, ended_at = now(), end_block = ${end.block}::bigint, blame = ${toJson(end.blame)}
      where ${eq(settlementAttempts.chainId, chainId)} and ${settlementAttempts.outcome} is null and ${which ?? sql`true`}
      returning ${closedColumns}
    )
    ${countFailures(sql`closed`)}`)

/** Attributes a failed attempt, once, and counts the failure for each of its orders. */
export const recordBlame = (
  database: Database,
  { chainId, auctionId, solutionUid }: { chainId: number; auctionId: number; solutionUid: number },
  blame: Blame,
) =>
  database.execute(sql`
    with closed as (
      update ${settlementAttempts} set blame = ${toJson(blame)}
      where chain_id = ${chainId} and auction_id = ${auctionId} and solution_uid = ${solutionUid}
        and outcome <> 'success' and blame is null
      returning ${closedColumns}
    )
    ${countFailures(sql`closed`)}`)

const closedColumns = sql`chain_id, auction_id, solution_uid, solver, outcome, blame,
        least(greatest(end_block, start_block), deadline_block) as block`

const toJson = (blame: Blame | null): SQL => sql`${blame && JSON.stringify(blame)}::jsonb`

/**
 * Blocks for which failures of orders that can no longer trade remain: four times the longest back-off.
 */
const retainedFailureBlocks = 256

/**
 * Deletes the failures of orders that were filled later, in part or whole, and old ones of orders that can no longer
 * trade. Runs after attempts are closed. The cost depends on the number of failing orders and of trades since
 * `fromBlock`.
 * @param toBlock the newest block, already stored
 */
export const deleteResolvedFailures = (database: Database, chainId: number, fromBlock: number, toBlock: number) =>
  database.execute(sql`
    delete from ${settlementFailures} f
    where f.chain_id = ${chainId} and (
      exists (select 1 from ${trades} t where t.chain_id = f.chain_id and t.order_uid = f.order_uid
        and t.block_number >= ${fromBlock} and t.block_number > f.last_block)
      or f.last_block < ${toBlock - retainedFailureBlocks} and exists (select 1 from ${orders} where ${orders.chainId} = f.chain_id and ${orders.uid} = f.order_uid
        and (${orders.cancelledAt} is not null or ${lastValidSecond} < (
          select extract(epoch from timestamp)::bigint from ${blocks} where chain_id = ${chainId} and number = ${toBlock})))
    )`)

/** Failures are at most at the chain's newest block, so that a reorganisation cannot delay an order. */
export const lowerFailureBlocks = (database: Database, chainId: number, undoFrom: number) =>
  database.execute(sql`
    update ${settlementFailures} set
      last_block = least(last_block, ${undoFrom - 1}::bigint),
      last_revert_block = least(last_revert_block, case when last_revert_block is not null then ${undoFrom - 1}::bigint end)
    where chain_id = ${chainId} and last_block >= ${undoFrom}`)
