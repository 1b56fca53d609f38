import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { auctionEntries, currentAuctions } from '../../tables/auctions/auctions.ts'
import { isUnsigned, orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'

/** Limits the orders of one cut. Books below `maxOrders` are cut whole. */
export type BookLimit = {
  maxOrders: number
  /** native prices, wei per atom; without any, those of the newest auction apply */
  prices: ReadonlyMap<Address, number>
  /** the orders in turn begin behind this UID, or behind any other bytes */
  turnAfter: Hex
  /** orders that had a place and no solution: still in their places, or without one for a time */
  tried?: readonly Hex[]
  resting?: readonly Hex[]
}

/** A fifth of a full cut each goes to the newest orders and to the orders in turn. */
const sharesOfCut = 5

/** Gas units that settling one order takes at least: base cost of a transaction, settlement, two transfers. */
const gasOfOrder = sql.raw('100000')

/** Limits up to the market, and up to 1 % beyond it, rank the same: a generous limit gains no place. */
const atMarket = sql.raw('100')

/** An order that demands this much of what it sells, 1/100, comes after all that a solver might fill. */
const hopeless = sql.raw('200')

/** Bytes of a UID that identify it in a list: finding another order with the same ones takes 2⁶⁴ hashes. */
const prefixBytes = 8
const size = sql.raw(String(prefixBytes))

/** The funds last read do not cover the order, or its signature is missing. */
const isUnfunded = sql`(${isUnsigned(orders)} or coalesce(case when ${orders.partiallyFillable}
  then ${orders.availableBalance} = 0
  else ${orders.availableBalance} < ${orders.sellAmount} + ${orders.feeAmount} - ${orders.executedSellAmount} end, false))`

/** Amounts as numbers; converting them once per order is most of the cost. `part`: what one settlement could sell. */
const amounts = sql`(select sell, buy, case when ${orders.partiallyFillable}
    then least(coalesce(${orders.availableBalance}, ${orders.sellAmount}), ${orders.sellAmount} - ${orders.executedSellAmount})::float8
    else sell end as part
  from (select ${orders.sellAmount}::float8 as sell, ${orders.buyAmount}::float8 as buy offset 0) as signed)`

/** Wei per gas unit in the newest quote; 0 without quotes. */
const gasPrice = (chainId: number): SQL => sql`coalesce((select ${quotes.gasPrice} from ${quotes}
  where ${eq(quotes.chainId, chainId)} order by ${desc(quotes.createdAt)} limit 1), 0)::float8`

/**
 * What the order demands of what it sells, in 1/100 at native prices, its share of gas included. At 100 and below it
 * can pay for its settlement; above, the market must move that far before it can. Infinite without both prices, unless
 * the order matched its quote.
 *     ⌊100 · (buyAmount · buyPrice / (sellAmount · sellPrice) + gas · gasPrice / (part · sellPrice))⌋
 */
const distance = sql`greatest(${atMarket}, coalesce(
  floor(100 * (buy * buy_prices.price / nullif(sell, 0) + gas.cost / nullif(part, 0)) / nullif(sell_prices.price, 0)),
  case when ${orders.class} = 'market' then ${atMarket} end, 'infinity'))`

const priceList = (chainId: number, prices: BookLimit['prices']): SQL => {
  if (prices.size === 0)
    return sql`select decode(substr(key, 3), 'hex') as token, value::float8 / 1e18 as price
      from ${currentAuctions}, jsonb_each_text(${currentAuctions.prices})
      where ${currentAuctions.chainId} = ${chainId} and value <> '0'`
  const list = JSON.stringify([...prices].map(([token, price]) => [token.slice(2), price]))
  return sql`select decode(value->>0, 'hex') as token, (value->>1)::float8 as price from jsonb_array_elements(${list}::jsonb)`
}

/** Postgres hashes this list whatever it knows of the tables; without statistics it would join row by row. */
const isListed = (
  chainId: number,
): SQL => sql`${orders.uid} in (select ${auctionEntries.orderUid} from ${auctionEntries}
  where ${and(eq(auctionEntries.chainId, chainId), isNull(auctionEntries.leftAuctionId))})`

/** Whether an order is in a list of beginnings of UIDs; one short text, since the list grows with the book. */
const isIn = (uids: readonly Hex[]): SQL => {
  if (uids.length === 0) return sql`false`
  const text = uids.map((uid) => uid.slice(2, 2 + 2 * prefixBytes)).join('')
  return sql`substring(uid from 1 for ${size}) in (select substring(list.bytes from ${size} * i + 1 for ${size})
    from (select decode(${text}, 'hex') as bytes offset 0) as list, generate_series(0, length(list.bytes) / ${size} - 1) as i)`
}

/** One number, the lowest first, because comparing several columns would be most of a cut. */
const computeRank = ({ tried = [], resting = [] }: BookLimit): SQL => sql`
  case when is_unfunded then 4e12 else 0 end + case when distance >= ${hopeless} then 2e12
    when ${isIn(resting)} then 1e12 when ${isIn(tried)} then 2 else 0 end
  + 4 * least(distance, 1e9) + case when is_listed then 0 else 1 end`

/**
 * Open orders of a cut as a subquery: `uid`, `is_listed` (whether it is in the current auction), `in_turn` and `is_full`. A book of more than `maxOrders` is limited to
 * - the nearest to paying for their settlement: funded before unfunded, hopeless orders last, then those that do not
 *   rest, then by `distance` in steps of 1 %, within a step untried orders first, then listed ones, then the oldest,
 * - the newest, so that each is considered at once,
 * - the orders in turn by UID, so that each is considered again.
 * Listed orders outside these have a null `in_turn`.
 */
export const openBook = (chainId: number, isCandidate: SQL | undefined, limit: BookLimit): SQL => {
  const { maxOrders, turnAfter } = limit
  const share = Math.floor(maxOrders / sharesOfCut)
  return sql`
    with prices as materialized (${priceList(chainId, limit.prices)}),
    gas as materialized (select ${gasOfOrder} * ${gasPrice(chainId)} as cost),
    valued as (
      select ${orders.uid} as uid, ${orders.createdAt} as created_at, ${isListed(chainId)} as is_listed,
        ${isUnfunded} as is_unfunded, ${distance} as distance
      from ${orders}
      cross join gas
      cross join lateral ${amounts} as amounts
      left join prices as sell_prices on sell_prices.token = ${orders.sellToken}
      left join prices as buy_prices on buy_prices.token = ${orders.buyToken}
      where ${isCandidate} offset 0
    ), book as materialized (
      select uid, created_at, is_listed, ${computeRank(limit)} as rank from valued
    ), size as materialized (
      select count(*) > ${maxOrders}::integer as is_full from book
    ), chosen as (
      (select uid, is_listed, false as in_turn from book
        order by rank, created_at, uid
        limit (select case when is_full then ${maxOrders - 2 * share}::bigint end from size))
      union all
      (select uid, is_listed, false from book order by created_at desc, uid limit ${share}::integer)
      union all
      (select uid, is_listed, true from book order by uid <= decode(${turnAfter.slice(2)}, 'hex'), uid limit ${share}::integer)
      union all
      (select uid, is_listed, null from book where is_listed)
    )
    select uid, bool_or(is_listed) as is_listed, bool_or(in_turn) as in_turn, is_full
    from chosen cross join size group by uid, is_full`
}
