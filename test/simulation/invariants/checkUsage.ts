import type { Block } from '../chain/createChain.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** Requests of one invocation that wait for response headers; the platform would hold back a seventh. */
const mostWaiting = 6
/** requests to the node for each tick and each auction of the clock, on average of a block; measured: at most 3 */
const mostClockCalls = 4
/** requests of another process to the node between two blocks, measured: at most 156 */
const mostCalls = 240
/** rows written between two blocks, measured: at most 151 */
const mostRows = 250

/**
 * What the service uses between two blocks stays within its budget: requests that wait at any time, requests to the node and
 * written rows in calm weather.
 * @returns a check for each block
 */
export const createUsageCheck = ({ usage, database, weather }: World) => {
  let written = 0
  return async (block: Block): Promise<void> => {
    const { waiting, nodeCalls, steps } = usage.take()
    if (waiting.waiting > mostWaiting)
      throw new Violation('waiting requests', `${waiting.waiting} of one invocation of ${waiting.name} waited`)
    const before = written
    const [row] = await database.read(
      'select pg_stat_force_next_flush(), sum(n_tup_ins + n_tup_upd + n_tup_del) as written from pg_stat_user_tables',
    )
    written = Number(row?.written ?? 0)
    if (block.number <= weather.disturbedAt || block.number < 2) return
    for (const [name, count] of nodeCalls) {
      const most = name === 'auctions' ? mostClockCalls * (steps.get(name) ?? 0) : mostCalls
      if (count > most) throw new Violation('node calls', `${name} sent ${count} requests to the node, above ${most}`)
    }
    if (written - before > mostRows) throw new Violation('rows', `${written - before} rows written, above ${mostRows}`)
  }
}
