import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { surplusOfTrade, surplusPrice } from '../fragments/surplusOfTrade.ts'

/** wei per 10¹⁸ atoms of the sell token; null when the auction had no price for it */
const sellPrice = sql`(${auctions.prices} ->> ('0x' || encode(${trades.sellToken}, 'hex')))::numeric`

const weiPerUnit = sql`1000000000000000000`

/**
 * Stores the values of trades of known orders in `fromBlock` or later. Existing rows stay, so that running it again
 * changes nothing.
 *
 * volume = ⌊ sell amount · price of the sell token / 10^18 ⌋, surplus = ⌊ surplus · price of its token / 10^18 ⌋
 *
 * wei; prices of the auction that the settlement belongs to. Both are null for a settlement without an auction.
 */
export const insertTradeValues = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    insert into ${tradeValues} (chain_id, block_number, log_index, settled_at, trader, solver, sell_token, buy_token,
      sell_amount, buy_amount, volume, surplus)
    select ${trades.chainId}, ${trades.blockNumber}, ${trades.logIndex}, ${settlements.settledAt},
      coalesce(${orders.onchainUser}, ${trades.owner}), ${settlements.solver}, ${trades.sellToken}, ${trades.buyToken},
      ${trades.sellAmount}, ${trades.buyAmount}, div(${trades.sellAmount} * ${sellPrice}, ${weiPerUnit}),
      div(${surplusOfTrade} * ${surplusPrice}, ${weiPerUnit})
    from ${trades}
    join ${orders} on ${orders.chainId} = ${trades.chainId} and ${orders.uid} = ${trades.orderUid}
    join ${settlements} on ${settlements.chainId} = ${trades.chainId}
      and ${settlements.blockNumber} = ${trades.blockNumber} and ${settlements.logIndex} = ${trades.settlementLogIndex}
    left join ${auctions} on ${auctions.chainId} = ${trades.chainId} and ${auctions.id} = ${settlements.auctionId}
    where ${trades.chainId} = ${chainId} and ${trades.blockNumber} >= ${fromBlock}
      and not exists (select 1 from ${tradeValues} as known where known.chain_id = ${trades.chainId}
        and known.block_number = ${trades.blockNumber} and known.log_index = ${trades.logIndex})
    on conflict do nothing`)
