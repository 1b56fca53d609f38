import { mapBounded } from '#shared/mapBounded.ts'
import type { RunWrangler } from '../deploy/runWrangler.ts'
import { planRollback } from './planRollback.ts'
import { readHistory } from './readHistory.ts'

/** wrangler is a process of 100 MB */
const atOnce = 3

/**
 * Returns each Worker of the newest release to its version of the release before.
 * @param names of the Workers, in deployment order; they go back in the reverse order, so that no Worker is newer than
 *   those that it is bound to
 * @returns success; a Worker that cannot go back stops no other
 */
export const rollBack = async (
  names: readonly string[],
  { run, dryRun, log }: { run: RunWrangler; dryRun: boolean; log: (line: string) => void },
): Promise<boolean> => {
  const plan = planRollback(
    await mapBounded(names.toReversed(), atOnce, async (name) => ({ name, history: await readHistory(run, name) })),
  )
  if (!plan) {
    log('no Worker is deployed')
    return false
  }
  log(`the newest release is ${plan.release}`)
  let isDone = true
  for (const { name, former, reason } of plan.workers) {
    if (!former) {
      log(`${name}: unchanged, ${reason}`)
      continue
    }
    const target = `${former.message}, version ${former.id} of ${former.createdAt}`
    const fault = dryRun ? undefined : await goBack(run, name, former.id, plan.release)
    isDone &&= fault === undefined
    log(fault === undefined ? `${name}: back to ${target}` : `${name} is NOT back to ${target}\n${fault}`)
  }
  return isDone
}

/** @returns wrangler's output when it fails: for example, a version before a new Durable Object class is refused */
const goBack = async (run: RunWrangler, name: string, id: string, release: string): Promise<string | undefined> => {
  const message = `back from ${release}`
  const { succeeded, output } = await run(['rollback', id, '--name', name, '--message', message, '-y'])
  return succeeded ? undefined : output.trim()
}
