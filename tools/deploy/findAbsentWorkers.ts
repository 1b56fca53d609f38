import { mapBounded } from '#shared/mapBounded.ts'
import type { RunWrangler } from './runWrangler.ts'

const atOnce = 4
/** platform error for a Worker that was never deployed */
const notFound = '[code: 10007]'

/**
 * Which of these Workers the account lacks.
 * @throws Error when the platform's response does not say
 */
export const findAbsentWorkers = async (run: RunWrangler, names: readonly string[]): Promise<string[]> => {
  const absent: string[] = []
  await mapBounded([...names], atOnce, async (name) => {
    const { succeeded, output } = await run(['deployments', 'list', '--name', name, '--json'])
    if (succeeded) return
    if (!output.includes(notFound)) throw new Error(`cannot tell whether ${name} is deployed:\n${output.trim()}`)
    absent.push(name)
  })
  return absent
}
