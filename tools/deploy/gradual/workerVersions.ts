import { deployWorker } from '../deployWorker.ts'
import type { PreparedWorker } from '../prepareWorker.ts'
import { type RunWrangler, WranglerError } from '../runWrangler.ts'

export type UploadedVersion = { worker: PreparedWorker; former: string; next: string }

/** Gives a share of a Worker's traffic to its new version. @param share percent */
export const shiftTraffic = async (
  run: RunWrangler,
  { worker, former, next }: UploadedVersion,
  share: number,
  message: string,
): Promise<void> => {
  const split = share === 100 || former === next ? [`${next}@100%`] : [`${former}@${100 - share}%`, `${next}@${share}%`]
  const { succeeded, output } = await deployWorker(run, worker, [
    ...['versions', 'deploy', ...split, '--message', message, '-y'],
  ])
  if (!succeeded) throw new WranglerError(output)
}

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
