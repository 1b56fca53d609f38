import type { Database } from '#schema/client.ts'
import type { NewOrder } from '#schema/queries/orders/orders.ts'
import { appData } from '#schema/tables/orders/appData.ts'
import { orders } from '#schema/tables/orders/orders.ts'

/** Stores an order as it is, with its document and without its events: `insertOrder` sets what on-chain events decide. */
export const storeOrder = async (database: Database, { fullAppData, ...row }: NewOrder): Promise<void> => {
  if (fullAppData !== null) {
    await database.insert(appData).values({ hash: row.appDataHash, fullAppData }).onConflictDoNothing()
  }
  await database.insert(orders).values(row)
}
