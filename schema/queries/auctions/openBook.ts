import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { auctionEntries } from '../../tables/auctions/auctions.ts'
import { isUnsigned, orders } from '../../tables/orders/orders.ts'

/** Limits the orders of one cut. Books below `maxOrders` are cut whole. */
export type BookLimit = {
  maxOrders: number
  /** native prices, wei per atom */
  prices: ReadonlyMap<Address, number>
  /** the orders in turn begin behind this UID, or behind any other bytes */
  turnAfter: Hex
}

/** A fifth of a full cut each goes to the newest orders and to the orders in turn. */
const sharesOfCut = 5

/** The funds last read do not cover the order, or its signature is missing. */
const isUnfunded = sql`(${isUnsigned(orders)} or coalesce(case when ${orders.partiallyFillable}
  then ${orders.availableBalance} = 0
  else ${orders.availableBalance} < ${orders.sellAmount} + ${orders.feeAmount} - ${orders.executedSellAmount} end, false))`

/**
 * Open orders of a cut as a subquery: `uid`, `entered` (auction that it entered, null outside the current one) and
 * `in_turn`. A book of more than `maxOrders` is limited to
 * - the nearest: funded before unfunded, matching a quote before others, then by the ratio of limit and market in steps
 *   of 1 %, within a step listed orders before others, the oldest first,
 * - the newest, so that each is considered at once,
 * - the orders in turn by UID, so that each is considered again.
 * Listed orders outside these have a null `in_turn`.
 */
export const openBook = (chainId: number, isCandidate: SQL | undefined, limit: BookLimit): SQL => {
  const { maxOrders, turnAfter } = limit
  const share = Math.floor(maxOrders / sharesOfCut)
  const prices = JSON.stringify([...limit.prices].map(([token, price]) => [token.slice(2), price]))
  return sql`
    with prices as materialized (
      select decode(value->>0, 'hex') as token, (value->>1)::float8 as price from jsonb_array_elements(${prices}::jsonb)
    ), listed as materialized (
      select ${auctionEntries.orderUid} as uid, ${auctionEntries.enteredAuctionId} as entered from ${auctionEntries}
      where ${and(eq(auctionEntries.chainId, chainId), isNull(auctionEntries.leftAuctionId))}
    ), book as materialized (
      select ${orders.uid} as uid, ${orders.createdAt} as created_at, listed.entered,
        ${isUnfunded} as is_unfunded, ${orders.class} <> 'market' as is_limit,
        floor(100 * (${orders.buyAmount}::float8 * buy_prices.price)
          / nullif(${orders.sellAmount}::float8 * sell_prices.price, 0)) as distance
      from ${orders}
      left join listed on listed.uid = ${orders.uid}
      left join prices as sell_prices on sell_prices.token = ${orders.sellToken}
      left join prices as buy_prices on buy_prices.token = ${orders.buyToken}
      where ${isCandidate}
    ), chosen as (
      (select uid, false as in_turn from book
        order by is_unfunded, is_limit, distance nulls last, entered is null, created_at, uid
        limit (select case when count(*) <= ${maxOrders}::integer then count(*)
          else ${maxOrders - 2 * share}::integer end from book))
      union all
      (select uid, false from book order by created_at desc, uid limit ${share}::integer)
      union all
      (select uid, true from book order by uid <= decode(${turnAfter.slice(2)}, 'hex'), uid limit ${share}::integer)
    ), grouped as (select uid, bool_or(in_turn) as in_turn from chosen group by uid)
    select book.uid, book.entered, grouped.in_turn from book left join grouped on grouped.uid = book.uid
    where grouped.uid is not null or book.entered is not null`
}
