import type { Block } from '../../chain/createChain.ts'
import type { World } from '../../world.ts'
import { Violation } from '../violation.ts'

/** blocks between two checks */
const interval = 10
/** values by key of one Durable Object, and rows of its tables; measured: at most 45 */
const mostEntries = 100
/** bytes of its tables; measured: at most 888,832 */
const mostBytes = 2_500_000

/** The storage of each Durable Object stays within a budget: a queue that never empties shows there. */
export const checkStorage = ({ service }: { service: Pick<World['service'], 'listStored'> }, block: Block): void => {
  if (block.number % interval !== 0) return
  for (const { name, keys, rows, bytes } of service.listStored()) {
    if (keys + rows > mostEntries)
      throw new Violation('storage', `${name} stores ${keys} keys and ${rows} rows, above ${mostEntries}`)
    if (bytes > mostBytes) throw new Violation('storage', `${name} stores ${bytes} bytes, above ${mostBytes}`)
  }
}
