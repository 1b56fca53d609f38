import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Tracked and untracked files of the repository, without ignored ones, relative to `folder`. */
export const listFiles = async (folder: string): Promise<string[]> => {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { stdout } = await promisify(execFile)('git', args, { cwd: folder, maxBuffer: 2 ** 26 })
  return stdout.split('\n').filter((path) => path !== '')
}
