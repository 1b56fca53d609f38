import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const unbundled = /(\.test\.ts|\.d\.ts|\/node_modules)$/

/**
 * Hash of all files below some paths, without tests and declarations, which no bundle contains.
 * @param paths files and folders in `root`; missing ones count as empty
 * @returns 32 hex digits
 */
export const hashFiles = async (root: string, paths: readonly string[]): Promise<string> => {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of await listFiles(join(root, path))) {
      hash.update(file.slice(root.length)).update(await readFile(file))
    }
  }
  return hash.digest('hex').slice(0, 32)
}

const listFiles = async (path: string): Promise<string[]> => {
  if (unbundled.test(path) || !existsSync(path)) return []
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if (!entries) return [path]
  const lists = await Promise.all(entries.map(({ name }) => listFiles(join(path, name))))
  return lists.flat().sort()
}
