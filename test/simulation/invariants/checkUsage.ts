import type { Block } from '../chain/createChain.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** Requests of one invocation that wait for response headers; the platform would hold back a seventh. */
const mostWaiting = 6
/** ticks of the clock between two blocks */
const ticks = 6
/** requests to the node for each tick, measured: at most 5.2 and 26 */
const mostCalls = { auctions: 6, solver: 40 } as const
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
    const { waiting, nodeCalls } = usage.take()
    if (waiting.waiting > mostWaiting)
      throw new Violation('waiting requests', `${waiting.waiting} of one invocation of ${waiting.name} waited`)
    const before = written
    const [row] = await database.read(
      'select pg_stat_force_next_flush(), sum(n_tup_ins + n_tup_upd + n_tup_del) as written from pg_stat_user_tables',
    )
    written = Number(row?.written ?? 0)
    if (block.number <= weather.disturbedAt || block.number < 2) return
    for (const [name, count] of nodeCalls) {
      const most = ticks * (name === 'auctions' ? mostCalls.auctions : mostCalls.solver)
      if (count > most) throw new Violation('node calls', `${name} sent ${count} requests to the node, above ${most}`)
    }
    if (written - before > mostRows) throw new Violation('rows', `${written - before} rows written, above ${mostRows}`)
  }
}
