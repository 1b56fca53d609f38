import { join } from 'node:path'
import { findPackedDatabase } from './findPackedDatabase.ts'
import { openPglite } from './openPglite.ts'
import { openPostgres } from './openPostgres.ts'
import { resetDatabase } from './resetDatabase.ts'
import type { SqlBackend } from './sqlBackend.ts'

/**
 * The stack's database: the server of `databaseUrl`, else Postgres in this process, stored in the stack's folder.
 * @param options.keepsData false: Postgres is in memory, migrated and without rows
 */
export const openDatabase = async (options: {
  dir: string
  databaseUrl: string | undefined
  fresh: boolean
  keepsData?: boolean
}): Promise<SqlBackend> => {
  if (!options.databaseUrl && options.keepsData === false) return openPglite(undefined, await findPackedDatabase())
  if (!options.databaseUrl) return openPglite(join(options.dir, 'database'))
  const backend = openPostgres(options.databaseUrl)
  try {
    await backend.run({ query: 'select 1', params: [] })
  } catch (error) {
    await backend.close()
    throw new Error(`the database of DATABASE_URL does not respond: ${error instanceof Error ? error.message : error}`)
  }
  if (options.fresh) await resetDatabase(backend)
  return backend
}
