import { deployWorker } from '../deployWorker.ts'
import type { PreparedWorker } from '../prepareWorker.ts'
import { type RunWrangler, WranglerError } from '../runWrangler.ts'

/** The version with the most traffic; undefined for a Worker without a deployment. */
export const findFormerVersion = async (run: RunWrangler, worker: PreparedWorker): Promise<string | undefined> => {
  const { succeeded, output } = await deployWorker(run, worker, ['deployments', 'status', '--json'])
  if (!succeeded) {
    if (/code: 10007|no active deployment|has no deployments/i.test(output)) return undefined
    throw new WranglerError(output)
  }
  const { versions } = JSON.parse(output.slice(output.indexOf('{'))) as {
    versions: { version_id: string; percentage: number }[]
  }
  return versions.toSorted((a, b) => b.percentage - a.percentage)[0]?.version_id
}
