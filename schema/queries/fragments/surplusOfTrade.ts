import { sql } from 'drizzle-orm'
import { auctions } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'

/** sell token amount that the order gave, atoms */
const executedSell = sql`(${trades.sellAmount} - ${trades.feeAmount})`

/**
 * Surplus of a trade of an order, atoms, like `computeSurplus`: rounded against the owner, never negative for trades
 * that the settlement contract allows. Null for an order with an amount of zero, which only a contract or a solver can
 * place.
 */
export const surplusOfTrade = sql`case ${orders.kind}
  when 'sell' then
    ${trades.buyAmount} - div(${executedSell} * ${orders.buyAmount} + ${orders.sellAmount} - 1,
      nullif(${orders.sellAmount}, 0))
  else div(${orders.sellAmount} * ${trades.buyAmount}, nullif(${orders.buyAmount}, 0)) - ${executedSell}
end`

/** wei per 10¹⁸ atoms of the surplus token; null when the auction had no price for it */
export const surplusPrice = sql`(${auctions.prices} ->> ('0x' || encode(
  case ${orders.kind} when 'sell' then ${orders.buyToken} else ${orders.sellToken} end, 'hex')))::numeric`
