import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'

/** The part of an order that its owner's funds cover, sell token atoms. */
export type AvailableBalance = { uid: Hex; available: bigint }

/** Writes the available balances of orders; unchanged ones are not written. */
export const updateAvailableBalances = (database: Database, chainId: number, balances: readonly AvailableBalance[]) => {
  const rows = balances.map(({ uid, available }) => [uid.slice(2), available.toString()])
  return database.execute(sql`
    update ${orders} as o set available_balance = read.available, version = o.version + 1
    from (
      select decode(value->>0, 'hex') as uid, (value->>1)::numeric as available
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb)
    ) as read
    where o.chain_id = ${chainId} and o.uid = read.uid and o.available_balance is distinct from read.available`)
}
