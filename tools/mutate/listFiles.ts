import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Every file of the repository that is tracked or about to be, relative to `folder`. */
export const listFiles = async (folder: string): Promise<string[]> => {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { stdout } = await promisify(execFile)('git', args, { cwd: folder, maxBuffer: 2 ** 26 })
  return stdout.split('\n').filter((path) => path !== '')
}
