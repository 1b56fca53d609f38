import type { Block } from '../../chain/createChain.ts'
import type { World } from '../../world.ts'
import { Violation } from '../violation.ts'

/** Requests of one invocation that wait for response headers; the platform would hold back a seventh. */
const mostWaiting = 6
/**
 * requests to the node for each tick and each auction of the clock, on average of a block, with the simulations of
 * winners and of failed settlements, traps among them; measured: at most 7
 */
const mostClockCalls = 9
/** ticks and auctions of the clock in a block: one each in two seconds, and more for new orders; measured: at most 15 */
const mostSteps = 24
/**
 * requests of another process to the node between two blocks, those of a solver for the gas price of each quote and the
 * funds of each auction among them; measured: at most 244
 */
const mostCalls = 320
/** rows written between two blocks, measured: at most 151 */
const mostRows = 250
/** rows of the auction's list beyond those of orders and of their events, measured: at most 1 */
const mostListed = 4

type Written = { all: number; list: number; changes: number }

/**
 * Usage of the service between two blocks stays within its budget: requests that wait at any time, requests to the node
 * and written rows in calm weather.
 * @returns a check for each block
 */
export const createUsageCheck = ({ usage, database, weather }: World) => {
  let written: Written = { all: 0, list: 0, changes: 0 }
  return async (block: Block): Promise<void> => {
    const { waiting, nodeCalls, steps } = usage.take()
    if (waiting.waiting > mostWaiting)
      throw new Violation('waiting requests', `${waiting.waiting} of one invocation of ${waiting.name} waited`)
    const before = written
    written = await readWritten(database)
    if (block.number <= weather.disturbedAt || block.number < 2) return
    for (const [name, count] of steps)
      if (count > mostSteps)
        throw new Violation('node calls', `${name}: ${count} ticks and auctions, above ${mostSteps}`)
    for (const [name, count] of nodeCalls) {
      const most = name === 'auctions' ? mostClockCalls * (steps.get(name) ?? 0) : mostCalls
      if (count > most) throw new Violation('node calls', `${name} sent ${count} requests to the node, above ${most}`)
    }
    const all = written.all - before.all
    const list = written.list - before.list
    const changes = written.changes - before.changes
    if (all > mostRows) throw new Violation('rows', `${all} rows written, above ${mostRows}`)
    if (list > changes + mostListed)
      throw new Violation('rows', `${list} rows of the auction's list written for ${changes} changes of orders`)
  }
}

/** Rows that statements wrote since the start: all, those of the auction's list, and those of orders and their events. */
const readWritten = async (database: World['database']): Promise<Written> => {
  const [row] = await database.read(
    `select pg_stat_force_next_flush(), sum(rows) as all, sum(rows) filter (where relname = 'auction_entries') as list,
        sum(rows) filter (where relname in ('orders', 'order_events')) as changes
      from (select relname, n_tup_ins + n_tup_upd + n_tup_del as rows from pg_stat_user_tables) as t`,
  )
  return { all: Number(row?.all ?? 0), list: Number(row?.list ?? 0), changes: Number(row?.changes ?? 0) }
}
