import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { surplusValue } from '../fragments/surplusOfTrade.ts'
import { protocolFeeOfTrade, valueOfTrade } from '../fragments/valueOfTrade.ts'

/**
 * Stores the values of trades of known orders in `fromBlock` or later. Existing rows stay, so that running it again
 * changes nothing.
 *
 * volume = ⌊ `valueOfTrade` / 10^18 ⌋, surplus = ⌊ `surplusValue` / 10^18 ⌋, protocol fee: `protocolFeeOfTrade`
 *
 * wei; proven prices of the auction that the settlement belongs to. Volume and surplus are null for a settlement
 * without one.
 */
export const insertTradeValues = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    insert into ${tradeValues} (chain_id, block_number, log_index, settled_at, trader, solver, sell_token, buy_token,
      sell_amount, buy_amount, volume, surplus, protocol_fee)
    select ${trades.chainId}, ${trades.blockNumber}, ${trades.logIndex}, ${settlements.settledAt},
      coalesce(${orders.onchainUser}, ${trades.owner}), ${settlements.solver}, ${trades.sellToken}, ${trades.buyToken},
      ${trades.sellAmount}, ${trades.buyAmount}, div(${valueOfTrade(chainId)}, 1000000000000000000),
      div(${surplusValue(chainId)}, 1000000000000000000), ${protocolFeeOfTrade(chainId)}
    from ${trades}
    join ${orders} on ${orders.chainId} = ${trades.chainId} and ${orders.uid} = ${trades.orderUid}
    join ${settlements} on ${settlements.chainId} = ${trades.chainId}
      and ${settlements.blockNumber} = ${trades.blockNumber} and ${settlements.logIndex} = ${trades.settlementLogIndex}
    left join ${auctions} on ${auctions.chainId} = ${trades.chainId} and ${auctions.id} = ${settlements.auctionId}
    where ${trades.chainId} = ${chainId} and ${trades.blockNumber} >= ${fromBlock}
      and not exists (select 1 from ${tradeValues} as known where known.chain_id = ${trades.chainId}
        and known.block_number = ${trades.blockNumber} and known.log_index = ${trades.logIndex})
    on conflict do nothing`)
