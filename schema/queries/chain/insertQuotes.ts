import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { uidList } from '../fragments/uidList.ts'
import { insertQuoteCopies } from '../quotes/quoteCopies.ts'
import type { OnchainOrderEvents } from './insertContractEvents.ts'

/** Copies of the orders' quotes, as for orders over the API. */
export const insertQuotes = (database: Database, chainId: number, rows: OnchainOrderEvents['placedOrders']) =>
  database.execute(
    insertQuoteCopies(sql`(
      select chain_id, uid, quote_id from ${orders}
      where chain_id = ${chainId} and onchain_user is not null and quote_id is not null
        and uid in ${uidList(rows.map(({ uid }) => uid))})`),
  )
