import type { Block } from '../../chain/createChain.ts'
import { modulesName } from '../../memory/computeRetainedBytes.ts'
import { findRetainedBytes } from '../../memory/findRetainedBytes.ts'
import type { World } from '../../world.ts'
import { Violation } from '../violation.ts'

const kilobyte = 1_000
/** of a part of the service, and of all requests in flight; measured: at most 406 and 301 */
const mostRetained = 1_000 * kilobyte
/** of all modules together, with their caches; measured: at most 5,599 */
const mostInModules = 8_000 * kilobyte
/** Growth above the highest of the first readings; a part that starts later may retain 406 more. */
const firstReadings = 2
const mostGrowth = 500 * kilobyte

/**
 * The memory that each part of the service retains stays within a budget, and does not grow with the number of blocks,
 * orders and clients. A reading takes three seconds of CPU.
 * @param interval blocks between two readings
 * @returns a check for each block
 */
export const createMemoryCheck = ({ listHolders }: Pick<World, 'listHolders'>, interval: number) => {
  const highest = new Map<string, number>()
  let readings = 0
  return async (block: Block): Promise<void> => {
    if ((block.number + 1) % interval !== 0) return
    for (const [name, bytes] of await findRetainedBytes(listHolders())) {
      const before = highest.get(name) ?? 0
      if (readings < firstReadings) highest.set(name, Math.max(bytes, before))
      const budget = name === modulesName ? mostInModules : mostRetained
      const most = readings < firstReadings ? budget : Math.min(budget, before + mostGrowth)
      if (bytes > most) throw new Violation('memory', `${name} keeps ${bytes} bytes, above ${most}`)
    }
    readings += 1
  }
}
