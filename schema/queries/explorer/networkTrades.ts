import { and, eq, getTableColumns, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { executedFeeOf } from '../fragments/executedFee.ts'
import { settlementOfTrade } from '../fragments/joins.ts'
import { nearestPrice } from '../markets/priceSamples.ts'
import { scanPage } from './scanPage.ts'

/** All given conditions hold; `token` and both tokens of `pair` are on either side. */
export type NetworkTradeFilter = {
  token?: Address | undefined
  pair?: readonly [Address, Address] | undefined
  owner?: Address | undefined
}

/** Position of a trade in its chain. */
export type TradePosition = { blockNumber: number; logIndex: number }

const { chainId: _, ...valueColumns } = getTableColumns(tradeValues)
const order = sql`${tradeValues.blockNumber} desc, ${tradeValues.logIndex} desc`
const position = sql`${tradeValues.blockNumber}, ${tradeValues.logIndex}`

/**
 * Trades of the orders of this book, newest first. With two filters a page reads at most a thousand further rows, so
 * that it may be short or empty and still have a next one.
 * @returns `fee`: signed or in the price, sell token atoms; `nativePrice`: US dollars for one whole native token, sampled nearest to the trade; `next`: where the next page
 * begins, null at the end
 */
export const selectNetworkTrades = async (
  database: Database,
  { chainId, wrappedNative }: { chainId: number; wrappedNative: Address },
  filter: NetworkTradeFilter,
  { after, limit }: { after?: TradePosition | undefined; limit: number },
) => {
  const follows = after && sql`(${position}) < (${after.blockNumber}, ${after.logIndex})`
  const ofNetwork = eq(tradeValues.chainId, chainId)
  const { rows, edge } = scanPage(
    {
      ...{ table: tradeValues, key: position, order, matches: isSingle(filter) ? undefined : involves(filter) },
      sources: findSources(filter).map(
        (condition) => (most) =>
          sql`select * from ${tradeValues} where ${and(ofNetwork, condition, follows)} order by ${order} limit ${most}`,
      ),
    },
    limit + 1,
  )
  const native = sql`decode(${wrappedNative.slice(2)}, 'hex')`
  const [found, edges] = await database.batch([
    database
      .select({
        ...valueColumns,
        orderUid: trades.orderUid,
        transactionHash: trades.transactionHash,
        auctionId: settlements.auctionId,
        fee: sql<bigint>`${trades.feeAmount} + ${executedFeeOf(sql`${trades}`)}`.mapWith(BigInt),
        nativePrice: nearestPrice(chainId, native, sql`${tradeValues.settledAt}`),
      })
      .from(tradeValues)
      .innerJoin(
        trades,
        and(
          eq(trades.chainId, tradeValues.chainId),
          eq(trades.blockNumber, tradeValues.blockNumber),
          eq(trades.logIndex, tradeValues.logIndex),
        ),
      )
      .innerJoin(settlements, settlementOfTrade)
      .where(and(ofNetwork, sql`(${position}) in (${rows})`))
      .orderBy(order),
    database
      .select({ blockNumber: tradeValues.blockNumber, logIndex: tradeValues.logIndex })
      .from(tradeValues)
      .where(and(ofNetwork, edge ? sql`(${position}) = (${edge})` : sql`false`)),
  ])
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : edges[0]
  return { trades: page, next: last ? { blockNumber: last.blockNumber, logIndex: last.logIndex } : null }
}

export type NetworkTrade = Awaited<ReturnType<typeof selectNetworkTrades>>['trades'][number]

/** The filter is the index that the page is read by. */
const isSingle = ({ owner, pair, token }: NetworkTradeFilter): boolean =>
  [owner, pair, token].filter((given) => given !== undefined).length < 2

/** The rows of a list by the index of its narrowest filter. */
const findSources = ({ owner, pair, token }: NetworkTradeFilter): (SQL | undefined)[] => {
  if (owner) return [eq(tradeValues.trader, owner)]
  if (pair) {
    const [first, second] = pair
    const isBack = sql`${isSwap(second, first)} and ${first === second ? sql`false` : sql`true`}`
    return [isSwap(first, second), isBack]
  }
  if (token)
    return [eq(tradeValues.sellToken, token), and(eq(tradeValues.buyToken, token), ne(tradeValues.sellToken, token))]
  return [sql`true`]
}

const isSwap = (sellToken: Address, buyToken: Address): SQL | undefined =>
  and(eq(tradeValues.sellToken, sellToken), eq(tradeValues.buyToken, buyToken))

/** The trade has the tokens of the filter; undefined without any. */
const involves = ({ token, pair }: NetworkTradeFilter): SQL | undefined =>
  and(
    token && or(eq(tradeValues.sellToken, token), eq(tradeValues.buyToken, token)),
    pair && or(isSwap(...pair), isSwap(pair[1], pair[0])),
  )
