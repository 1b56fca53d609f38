import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Root folder of the repository. */
export const root = join(import.meta.dirname, '../..')

/** Paths of all tracked and new files, relative to `root`; deleted files are left out. */
export const listTrackedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path && existsSync(join(root, path)))

/** Whether a file is TypeScript that people write and programs run: no test, no declaration file. */
export const isSource = (path: string): boolean => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path)
