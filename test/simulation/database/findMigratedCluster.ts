import { openAsBlob } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { cacheFolder } from '#tools/cache/cacheFolder.ts'
import { hashFiles } from '#tools/cache/hashFiles.ts'
import { keepBuild } from '#tools/cache/keepBuild.ts'
import { findEmptyCluster } from '#tools/stack/database/findEmptyCluster.ts'

const root = join(import.meta.dirname, '../../..')
const migrationsFolder = join(root, 'schema/migrations')

/** Files of a Postgres cluster with the service's migrations, built once per version of them. */
export const findMigratedCluster = async (): Promise<Blob> => {
  const version = await hashFiles(root, ['schema/migrations', 'package-lock.json'])
  const folder = join(cacheFolder, `migrated-${version}`)
  await keepBuild(folder, async (own) => {
    const pglite = await PGlite.create({ dataDir: 'memory://', loadDataDir: await findEmptyCluster() })
    for (const { sql } of readMigrationFiles({ migrationsFolder }))
      for (const statement of sql) await pglite.exec(statement)
    const archive = await pglite.dumpDataDir('none')
    await pglite.close()
    await mkdir(own, { recursive: true })
    await writeFile(join(own, 'cluster.tar'), archive.stream())
  })
  return openAsBlob(join(folder, 'cluster.tar'))
}
