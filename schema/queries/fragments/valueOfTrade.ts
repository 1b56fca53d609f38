import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { findNetworkOf, nativeSentinel } from '#shared/networks.ts'
import { computeNativeUnits, deepUnits } from '#shared/solvers/computeNativeUnits.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'

const weiPerUnit = sql`1000000000000000000::numeric`

/** Proven price of a token, wei per 10^18 atoms; null when the auction had none. */
export const provenPrice = (token: SQLWrapper): SQL =>
  sql`(coalesce(${auctions.provenPrices}, ${auctions.prices}) ->> ('0x' || encode(${token}, 'hex')))::numeric`

/** Tokens that no trader can make or empty: the native token and the US dollar reference of the network. */
const anchorsOf = (chainId: number): SQL => {
  const network = findNetworkOf(chainId)
  const anchors = network ? [nativeSentinel, network.wrappedNative, network.usdReference.address] : []
  return sql`array[${sql.join(
    anchors.map((token) => sql.raw(`'\\x${token.slice(2).toLowerCase()}'::bytea`)),
    sql`, `,
  )}]::bytea[]`
}

/**
 * Value of a trade, 10^-18 wei; null unless both tokens have a proven price:
 *     min(sell amount · price of the sell token, buy amount · price of the buy token)
 * A price is proven for an ether only: a trade without the native token or the US dollar reference counts up to one.
 */
export const valueOfTrade = (chainId: number): SQL => {
  const network = findNetworkOf(chainId)
  const bound = network ? computeNativeUnits(network, deepUnits) : 0n
  const [sold, bought] = [provenPrice(trades.sellToken), provenPrice(trades.buyToken)]
  return sql`case when ${sold} is not null and ${bought} is not null then least(
    ${trades.sellAmount} * ${sold}, ${trades.buyAmount} * ${bought},
    case when not array[${trades.sellToken}, ${trades.buyToken}] && ${anchorsOf(chainId)}
      then ${sql.raw(`${bound}`)} * ${weiPerUnit} end
  ) end`
}

/**
 * Protocol fees of a trade that a trader cannot print, wei, rounded down: in the native token or the US dollar
 * reference. Partner fees, the last ones of the list, do not count: their recipient may be the trader.
 */
export const protocolFeeOfTrade = (chainId: number): SQL => sql`(
  select coalesce(sum(div((fee.entry ->> 'amount')::numeric * ${provenPrice(sql`fee.token`)}, ${weiPerUnit})), 0)
  from ${executions} cross join lateral (
    select each.entry, each.number, decode(substr(each.entry ->> 'token', 3), 'hex') as token
    from jsonb_array_elements(${executions.protocolFees}) with ordinality as each(entry, number)
  ) as fee
  where ${executions.chainId} = ${chainId} and ${executions.auctionId} = ${settlements.auctionId}
    and ${executions.orderUid} = ${trades.orderUid} and fee.token = any(${anchorsOf(chainId)})
    and fee.number <= jsonb_array_length(${executions.protocolFees}) - jsonb_array_length(${orders.partnerFees}))`
