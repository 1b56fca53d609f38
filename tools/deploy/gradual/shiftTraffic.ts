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
