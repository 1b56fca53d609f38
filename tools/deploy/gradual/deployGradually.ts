import { deployWorker } from '../deployWorker.ts'
import type { PreparedWorker } from '../prepareWorker.ts'
import type { RunWrangler } from '../runWrangler.ts'
import { findFormerVersion, shiftTraffic, type UploadedVersion, uploadVersion } from './workerVersions.ts'

/** Shares of traffic of the new versions, percent. Below half until the end: the former version has the majority. */
const shares = [10, 40, 100]

/**
 * Uploads new versions, then shifts the traffic of all Workers to them in steps, each after a check. A failed check, or
 * a failed command, gives all traffic back to the former versions.
 * @param workers in deployment order
 * @param check rejects with the reason when the deployment is not well; also before the first shiftTraffic
 * @returns `whole`: nothing was shifted, because a Worker is new or has a Durable Object migration, which only a whole
 *   deployment applies
 */
export const deployGradually = async (
  workers: readonly PreparedWorker[],
  options: { run: RunWrangler; version: string; check: () => Promise<void>; log: (line: string) => void },
): Promise<'done' | 'failed' | 'whole'> => {
  const { run, version, check, log } = options
  const message = `edgebook ${version}`
  const versions: UploadedVersion[] = []
  for (const worker of workers) {
    const { name } = worker.config
    const former = await findFormerVersion(run, worker)
    const next = former === undefined ? undefined : await uploadVersion(run, worker, message)
    if (former === undefined || next === undefined) {
      log(`${name} ${former === undefined ? 'is new' : 'has a Durable Object migration'}: a whole deployment`)
      return 'whole'
    }
    versions.push({ worker, former, next })
    log(`uploaded ${name}: ${next}`)
  }
  try {
    await check()
  } catch (error) {
    log(`nothing was shifted: ${describe(error)}`)
    return 'failed'
  }
  for (const share of shares) {
    try {
      for (const each of versions) await shiftTraffic(run, each, share, message)
      log(`${share} % of the traffic to the new versions`)
      await check()
    } catch (error) {
      log(`${share} %: ${describe(error)}`)
      await goBack(versions, { run, message, log })
      return 'failed'
    }
  }
  for (const { worker } of versions) {
    const applied = await deployWorker(run, worker, ['triggers', 'deploy'])
    if (!applied.succeeded) {
      log(
        `${worker.config.name}: its triggers are the former ones. Run the same command again\n${applied.output.trim()}`,
      )
      return 'failed'
    }
  }
  return 'done'
}

/** The gateway first: in the reverse order of a deployment. A Worker that cannot go back stops no other. */
const goBack = async (
  versions: readonly UploadedVersion[],
  { run, message, log }: { run: RunWrangler; message: string; log: (line: string) => void },
): Promise<void> => {
  for (const each of versions.toReversed()) {
    const { name } = each.worker.config
    try {
      await shiftTraffic(run, { ...each, next: each.former }, 100, `${message}: back`)
      log(`back to ${each.former}: ${name}`)
    } catch (error) {
      log(`${name} is not back: npx wrangler versions deploy ${each.former}@100% --name ${name} -y\n${describe(error)}`)
    }
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))
