import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'

/** Amounts of one order in one solution of an auction. */
export type SolutionOrderRow = Omit<typeof solutionOrders.$inferInsert, 'chainId' | 'auctionId'>

/** Stores the order amounts of an auction's solutions as one parameter. */
export const insertSolutionOrders = (
  database: Database,
  chainId: number,
  auctionId: number,
  rows: readonly SolutionOrderRow[],
) => {
  const list = rows.map(
    ({ orderUid, sellToken, buyToken, limitSell, limitBuy, executedSell, executedBuy, ...rest }) => ({
      ...rest,
      orderUid: orderUid.slice(2),
      sellToken: sellToken.slice(2),
      buyToken: buyToken.slice(2),
      limitSell: limitSell.toString(),
      limitBuy: limitBuy.toString(),
      executedSell: executedSell.toString(),
      executedBuy: executedBuy.toString(),
    }),
  )
  return database.execute(sql`
    insert into ${solutionOrders} (chain_id, auction_id, solution_uid, order_uid, side, sell_token, buy_token, limit_sell,
      limit_buy, executed_sell, executed_buy, protocol_fees)
    select ${chainId}::integer, ${auctionId}::bigint, o."solutionUid", decode(o."orderUid", 'hex'), o.side::order_kind,
      decode(o."sellToken", 'hex'), decode(o."buyToken", 'hex'), o."limitSell", o."limitBuy", o."executedSell",
      o."executedBuy", coalesce(o."protocolFees", '[]')
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as o(
      "solutionUid" integer, "orderUid" text, side text, "sellToken" text, "buyToken" text, "limitSell" numeric,
      "limitBuy" numeric, "executedSell" numeric, "executedBuy" numeric, "protocolFees" jsonb
    )`)
}
