import { type SQL, sql } from 'drizzle-orm'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { provenPrice, valueOfTrade } from './valueOfTrade.ts'

/** sell token amount that the order gave, atoms */
const executedSell = sql`(${trades.sellAmount} - ${trades.feeAmount})`

/**
 * Surplus of a trade of an order, atoms, like `computeSurplus`: rounded against the owner, never negative for trades
 * that the settlement contract allows. Null for an order with an amount of zero, which only a contract or a solver can
 * place.
 */
const surplusOfTrade = sql`case ${orders.kind}
  when 'sell' then
    ${trades.buyAmount} - div(${executedSell} * ${orders.buyAmount} + ${orders.sellAmount} - 1,
      nullif(${orders.sellAmount}, 0))
  else div(${orders.sellAmount} * ${trades.buyAmount}, nullif(${orders.buyAmount}, 0)) - ${executedSell}
end`

/** wei per 10^18 atoms of the surplus token */
const surplusPrice = provenPrice(
  sql`case ${orders.kind} when 'sell' then ${orders.buyToken} else ${orders.sellToken} end`,
)

/** Surplus of a trade, 10^-18 wei, at most the value of the trade; null without a proven price of both tokens. */
export const surplusValue = (chainId: number): SQL => sql`(
  select case when gain is not null and value is not null then least(gain, value) end
  from (select ${surplusOfTrade} * ${surplusPrice} as gain, ${valueOfTrade(chainId)} as value) as traded)`
