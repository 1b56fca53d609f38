import { deployWorker } from '../deployWorker.ts'
import type { PreparedWorker } from '../prepareWorker.ts'
import { type RunWrangler, WranglerError } from '../runWrangler.ts'

/** @returns undefined when the version has a Durable Object migration */
export const uploadVersion = async (
  run: RunWrangler,
  worker: PreparedWorker,
  message: string,
): Promise<string | undefined> => {
  const { succeeded, output } = await deployWorker(run, worker, ['versions', 'upload', '--message', message])
  if (!succeeded && /Durable Object migration|code: 10211/.test(output)) return undefined
  const id = output.match(/Worker Version ID:\s*(\S+)/)?.[1]
  if (!succeeded || !id) throw new WranglerError(output)
  return id
}
