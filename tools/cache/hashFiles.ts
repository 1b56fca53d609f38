import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const unbundled = /(\.test\.ts|\.d\.ts|\/node_modules)$/

/**
 * Hash of all files below some paths, without tests and declarations, which no bundle contains. Read synchronously: a
 * start hashes a thousand small files, which costs six times as much with promises.
 * @param paths files and folders in `root`; missing ones count as empty
 * @returns 32 hex digits
 */
export const hashFiles = (root: string, paths: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const path of paths) {
    const top = join(root, path)
    if (!existsSync(top)) continue
    for (const file of listFiles(top)) hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 32)
}

const listFiles = (top: string): string[] => {
  const list = (path: string, isFolder: boolean): string[] => {
    if (unbundled.test(path)) return []
    if (!isFolder) return [path]
    const entries = readdirSync(path, { withFileTypes: true })
    return entries.flatMap((entry) => list(join(path, entry.name), entry.isDirectory()))
  }
  return list(top, statSync(top).isDirectory()).sort()
}
