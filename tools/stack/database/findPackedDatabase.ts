import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { cacheFolder } from '../../cache/cacheFolder.ts'
import { hashFiles } from '../../cache/hashFiles.ts'
import { keepBuild } from '../../cache/keepBuild.ts'
import { removeOldBuilds } from '../../cache/removeOldBuilds.ts'
import { applyMigrations } from '../applyMigrations.ts'
import { databaseEndpoint } from '../databaseEndpoint.ts'
import { openPglite } from './openPglite.ts'

const root = join(import.meta.dirname, '../../..')
/** Sources of the schema and of its runner. */
const sources = [
  ...['schema/migrations', 'tools/migrations', 'tools/stack/applyMigrations.ts', 'tools/stack/database'],
  'package-lock.json',
]
const [prefix, archive] = ['database-', 'cluster.tar']

/**
 * Files of a Postgres cluster with all migrations and no rows as a tar archive, built once per source state: a fraction
 * of applying the migrations again.
 */
export const findPackedDatabase = async (): Promise<Blob> => {
  const folder = join(cacheFolder, `${prefix}${hashFiles(root, sources)}`)
  await keepBuild(folder, async (own) => {
    await removeOldBuilds(cacheFolder, prefix)
    await fill(own)
  })
  return new Blob([await readFile(join(folder, archive))])
}

const fill = async (folder: string): Promise<void> => {
  const directory = join(folder, 'database')
  await mkdir(directory, { recursive: true })
  const backend = await openPglite(directory)
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  await applyMigrations(endpoint.databaseUrl)
  await endpoint.close()
  await backend.close()
  const pglite = await PGlite.create(directory)
  const packed = await pglite.dumpDataDir('none')
  await pglite.close()
  await writeFile(join(folder, archive), packed.stream())
  await rm(directory, { recursive: true })
}
