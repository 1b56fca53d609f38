import { existsSync, openAsBlob } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

const archive = 'database.tar'

/** Replaces the stopped database in a stack's folder by an archive, from which databases in memory begin. */
export const packDatabase = async (dir: string): Promise<void> => {
  const directory = join(dir, 'database')
  const pglite = await PGlite.create(directory)
  const packed = await pglite.dumpDataDir('none')
  await pglite.close()
  await writeFile(join(dir, archive), packed.stream())
  await rm(directory, { recursive: true })
}

/** The archive of `packDatabase`; undefined without one. */
export const findPacked = async (dir: string): Promise<Blob | undefined> =>
  existsSync(join(dir, archive)) ? openAsBlob(join(dir, archive)) : undefined
