import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { auctionEntries } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'

/** Orders of a side at most: the nearest to the market. */
const maxOrders = 200

/** What an order of the newest auction still sells, atoms, and what it demands for that, rounded up. */
export type OpenAmounts = { sell: bigint; buy: bigint }

/** The orders of the newest auction that sell one token for another, the best price first. */
const select = (chainId: number, sold: readonly Address[], bought: readonly Address[]): SQL => sql`
  select rest::text as sell, ceil(rest * buy_amount / sell_amount)::text as buy
  from (
    select ${orders.sellAmount} as sell_amount, ${orders.buyAmount} as buy_amount,
      least(${orders.sellAmount} - (${orders.executedSellAmount} - ${orders.executedFeeAmount}),
        case when ${orders.partiallyFillable} then ${orders.availableBalance} end) as rest
    from ${auctionEntries} join ${orders} on ${orders.chainId} = ${chainId} and ${orders.uid} = ${auctionEntries.orderUid}
    where ${auctionEntries.chainId} = ${chainId} and ${auctionEntries.leftAuctionId} is null
      and ${orders.sellToken} in ${list(sold)} and ${orders.buyToken} in ${list(bought)}) as open
  where rest > 0 and sell_amount > 0
  order by buy_amount / sell_amount limit ${maxOrders}`

const list = (tokens: readonly Address[]): SQL =>
  sql`(${sql.join(
    tokens.map((token) => sql.param(token, orders.sellToken)),
    sql`, `,
  )})`

/**
 * Orders of the newest auction between two tokens: those that solvers may fill, with their funds at the time of its
 * cut. Orders without funds or signature are none of them.
 * @param base, quote lists, because the native token and its wrapped form are one market
 * @returns `sells`: of base tokens, `buys`: of them for quote tokens; the best price first, 200 at most
 */
export const selectPairDepth = async (
  database: Database,
  chainId: number,
  { base, quote }: { base: readonly Address[]; quote: readonly Address[] },
): Promise<{ sells: OpenAmounts[]; buys: OpenAmounts[] }> => {
  const { rows } = await database.execute<{ side: 'sells' | 'buys'; sell: string; buy: string }>(sql`
    select 'sells' as side, sells.* from (${select(chainId, base, quote)}) as sells
    union all select 'buys', buys.* from (${select(chainId, quote, base)}) as buys`)
  const of = (side: string) =>
    rows.filter((row) => row.side === side).map(({ sell, buy }) => ({ sell: BigInt(sell), buy: BigInt(buy) }))
  return { sells: of('sells'), buys: of('buys') }
}
