import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { dataDir } from '@electric-sql/pglite-prepopulatedfs'
import { createWireBackend } from './createWireBackend.ts'
import type { SqlBackend } from './sqlBackend.ts'

/**
 * Postgres in this process, stored in `directory`, or in memory without one.
 * @param packed archive of the cluster that a new database begins with; an empty one when omitted
 * @throws Error when the directory holds no complete database
 */
export const openPglite = async (directory?: string, packed?: Blob): Promise<SqlBackend> => {
  const pglite =
    directory !== undefined && existsSync(join(directory, 'PG_VERSION'))
      ? await reopen(directory)
      : await PGlite.create({ dataDir: directory ?? 'memory://', loadDataDir: packed ?? (await dataDir()) })
  return createWireBackend(pglite)
}

/** Its first start may have been interrupted. */
const reopen = (directory: string): Promise<PGlite> =>
  PGlite.create(directory).catch((error) => {
    throw new Error(`the database in ${directory} cannot be opened; npm start -- --fresh creates a new one: ${error}`)
  })
