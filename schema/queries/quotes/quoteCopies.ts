import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { uidList } from '../fragments/uidList.ts'

/**
 * Copies the quotes of orders, replacing the copies of an unsigned order with the same UID.
 * @param placed a table of orders with `chain_id`, `uid` and `quote_id`
 */
export const insertQuoteCopies = (placed: SQL): SQL => sql`
  insert into ${orderQuotes} (chain_id, order_uid, quote_id, sell_amount, buy_amount, gas_amount, gas_price,
    sell_token_price, fee_amount, solver, verified, metadata)
  select o.chain_id, o.uid, q.id, q.sell_amount, q.buy_amount, q.gas_amount, q.gas_price, q.sell_token_price,
    q.fee_amount, q.solver, q.verified, q.metadata
  from ${placed} as o join ${quotes} as q on q.id = o.quote_id and q.chain_id = o.chain_id
  on conflict (chain_id, order_uid) do update set quote_id = excluded.quote_id, sell_amount = excluded.sell_amount,
    buy_amount = excluded.buy_amount, gas_amount = excluded.gas_amount, gas_price = excluded.gas_price,
    sell_token_price = excluded.sell_token_price, fee_amount = excluded.fee_amount, solver = excluded.solver,
    verified = excluded.verified, metadata = excluded.metadata
  where ${orderQuotes.quoteId} <> excluded.quote_id`

/** Deletes the copies of quotes that the orders no longer name. */
export const deleteStaleCopies = (
  database: Database,
  chainId: number | Placeholder,
  uids: readonly Hex[] | Placeholder,
) =>
  database.execute(sql`
    delete from ${orderQuotes} as q using ${orders} as o
    where q.chain_id = ${chainId} and q.order_uid in ${uidList(uids)} and o.chain_id = q.chain_id and o.uid = q.order_uid
      and o.quote_id is distinct from q.quote_id`)
