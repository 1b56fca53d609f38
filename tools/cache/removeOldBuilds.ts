import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Longer than any process that reads a build. */
const keptMs = 86_400_000

/** Removes builds of former sources, a day after they were built: every change of a source leaves one. */
export const removeOldBuilds = async (folder: string, prefix: string): Promise<void> => {
  const names = await readdir(folder).catch(() => [])
  const builds = names.filter((name) => name.startsWith(prefix)).map((name) => join(folder, name))
  await Promise.all(
    builds.map(async (build) => {
      const written = await stat(build).catch(() => undefined)
      if (written && Date.now() - written.mtimeMs > keptMs) await rm(build, { recursive: true, force: true })
    }),
  )
}
