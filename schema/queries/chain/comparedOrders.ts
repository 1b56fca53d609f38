import { and, eq, isNull, not, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { OrderKind } from '#shared/signing/order.ts'
import type { Database } from '../../client.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'
import { toBytes } from '../fragments/toBytes.ts'
import { uidList } from '../fragments/uidList.ts'

/** An order whose executed amount is compared with the chain. */
export type ComparedOrder = {
  uid: Hex
  owner: Address
  kind: OrderKind
  partiallyFillable: boolean
  /** of the exact side, without fees, atoms */
  executed: bigint
  /** last second in which it can be filled, Unix */
  lastValid: number
  inTurn: boolean
}

/** End of the previous turn through the open orders. */
export type ComparisonTurn = { lastValid: number; uid: Hex }

/**
 * Orders to compare with the chain, without invalidated ones:
 * - those of running attempts, and of attempts that failed in `failedFrom` or later, at most `limit`,
 * - open ones in turn, by the end of their validity, at most `limit`,
 * - `others`.
 * @param now Unix seconds
 */
export const selectComparedOrders = async (
  database: Database,
  chainId: number,
  { failedFrom, turn, now, limit }: { failedFrom: number; turn: ComparisonTurn; now: number; limit: number },
  others: readonly Hex[],
): Promise<ComparedOrder[]> => {
  const { rows } = await database.execute<Omit<ComparedOrder, 'executed'> & { executed: string }>(sql`
    with attempts as (
      select auction_id, solution_uid from ${settlementAttempts} where chain_id = ${chainId} and outcome is null
      union select auction_id, solution_uid from ${settlementAttempts}
        where chain_id = ${chainId} and end_block >= ${failedFrom} and outcome not in ('success', 'mismatch')
      limit ${limit}
    ), settling as (
      select distinct s.order_uid as uid from attempts as a
      join ${solutionOrders} as s
        on s.chain_id = ${chainId} and s.auction_id = a.auction_id and s.solution_uid = a.solution_uid
      limit ${limit}
    ), turn as (
      select ${orders.uid} as uid from ${orders}
      where ${and(
        eq(orders.chainId, chainId),
        isNull(orders.cancelledAt),
        not(orders.invalidated),
        isUnfilled,
        sql`${lastValidSecond} >= ${Math.max(now, turn.lastValid)}::bigint`,
        sql`(${lastValidSecond}, ${orders.uid}) > (${turn.lastValid}::bigint, ${toBytes(turn.uid)})`,
      )}
      order by ${lastValidSecond}, ${orders.uid} limit ${limit}
    ), wanted as (
      select uid from settling union select uid from turn union select uid from ${uidList(others)} as listed
    )
    select '0x' || encode(${orders.uid}, 'hex') as uid, '0x' || encode(${orders.owner}, 'hex') as owner, ${orders.kind} as kind,
      ${orders.partiallyFillable} as "partiallyFillable",
      (case ${orders.kind} when 'sell' then ${orders.executedSellAmount} - ${orders.executedFeeAmount}
        else ${orders.executedBuyAmount} end)::text as executed,
      ${lastValidSecond}::float8 as "lastValid", exists (select 1 from turn where turn.uid = ${orders.uid}) as "inTurn"
    from wanted join ${orders} on ${and(eq(orders.chainId, chainId), sql`${orders.uid} = wanted.uid`)}
    where not ${orders.invalidated}`)
  return rows.map(({ executed, ...row }) => ({ ...row, executed: BigInt(executed) }))
}

/** Places of the indexed trades and invalidations of an order. */
export const selectIndexedEvents = async (
  database: Database,
  chainId: number,
  uid: Hex,
): Promise<{ blockNumber: number; logIndex: number }[]> => {
  const [first, second] = await database.batch([
    database
      .select({ blockNumber: trades.blockNumber, logIndex: trades.logIndex })
      .from(trades)
      .where(and(eq(trades.chainId, chainId), eq(trades.orderUid, uid))),
    database
      .select({ blockNumber: invalidations.blockNumber, logIndex: invalidations.logIndex })
      .from(invalidations)
      .where(and(eq(invalidations.chainId, chainId), eq(invalidations.orderUid, uid))),
  ])
  return [...first, ...second]
}
