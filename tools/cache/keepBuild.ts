import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'

/**
 * Fills a folder once. Several processes may do so at once, each in its own folder; the first one stays.
 * @param fill receives the folder to fill, which does not exist yet
 */
export const keepBuild = async (folder: string, fill: (own: string) => Promise<unknown>): Promise<void> => {
  if (existsSync(folder)) return
  const own = `${folder}.${randomUUID()}`
  try {
    await fill(own)
    await rename(own, folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}
