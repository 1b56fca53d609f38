import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { cacheFolder } from '../../cache/cacheFolder.ts'
import { keepBuild } from '../../cache/keepBuild.ts'

/** The package's exports hide its package.json. */
const findVersion = async (): Promise<string> => {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')).version
}

/**
 * Files of an empty Postgres cluster as a tar archive, built once per version: initialising one takes seconds, reading
 * the archive a fraction.
 */
export const findEmptyCluster = async (): Promise<Blob> => {
  const folder = join(cacheFolder, `cluster-${await findVersion()}`)
  await keepBuild(folder, async (own) => {
    const pglite = await PGlite.create('memory://')
    const archive = await pglite.dumpDataDir('none')
    await pglite.close()
    await mkdir(own, { recursive: true })
    await writeFile(join(own, 'cluster.tar'), archive.stream())
  })
  // as in findPackedDatabase: Node.js crashes in a heap snapshot after a file was read by `openAsBlob`
  return new Blob([await readFile(join(folder, 'cluster.tar'))])
}
