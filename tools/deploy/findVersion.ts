import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Commit of the sources by `git`; `unknown` without it. */
export const findVersion = async (root: string): Promise<string> => {
  const git = promisify(execFile)('git', ['describe', '--always', '--dirty'], { cwd: root })
  return git.then(({ stdout }) => stdout.trim()).catch(() => 'unknown')
}
