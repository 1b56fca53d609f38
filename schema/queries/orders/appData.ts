import { eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { appData } from '../../tables/orders/appData.ts'

/**
 * Stores a document under its hash.
 * @returns false when the hash already has a document
 */
export const insertAppData = async (database: Database, hash: Hex, fullAppData: string): Promise<boolean> => {
  const rows = await database
    .insert(appData)
    .values({ hash, fullAppData })
    .onConflictDoNothing()
    .returning({ hash: appData.hash })
  return rows.length > 0
}

export const selectAppData = async (database: Database, hash: Hex): Promise<string | undefined> => {
  const [row] = await database.select({ fullAppData: appData.fullAppData }).from(appData).where(eq(appData.hash, hash))
  return row?.fullAppData
}
