import { eq, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orders } from '../../tables/orders/orders.ts'

/** Days after its last upload for which a document is stored that no order has. */
export const unreferencedDays = 30

/**
 * Stores a document under its hash. A further upload renews it, at most once a day.
 * @returns false when the hash already has a document
 */
export const insertAppData = async (database: Database, hash: Hex, fullAppData: string): Promise<boolean> => {
  const rows = await database
    .insert(appData)
    .values({ hash, fullAppData })
    .onConflictDoUpdate({
      target: appData.hash,
      set: { createdAt: sql`now()` },
      setWhere: sql`${appData.createdAt} < now() - interval '1 day'`,
    })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  return rows[0]?.isNew ?? false
}

/**
 * Deletes old documents that no order has, of a part of all documents.
 * @param from the part begins behind this hash
 * @param limit number of documents of the part
 * @returns how many were deleted
 */
export const deleteUnreferencedAppData = async (database: Database, from: Hex, limit: number): Promise<number> => {
  const { rows } = await database.execute<{ deleted: number }>(sql`
    with part as (
      select hash from ${appData} where hash > decode(${from.slice(2)}, 'hex') order by hash limit ${limit}
    ),
    deleted as (
      delete from ${appData} as d using part
      where d.hash = part.hash and d.created_at < now() - ${sql.raw(`interval '${unreferencedDays} days'`)}
        and not exists (select from ${orders} where ${orders.appDataHash} = part.hash)
      returning 1
    )
    select count(*)::integer as deleted from deleted`)
  return rows[0]?.deleted ?? 0
}

export const selectAppData = async (database: Database, hash: Hex): Promise<string | undefined> => {
  const [row] = await database.select({ fullAppData: appData.fullAppData }).from(appData).where(eq(appData.hash, hash))
  return row?.fullAppData
}
