import { describe, expect, test, vi } from 'vitest'
import type { Database } from '#schema/client.ts'
import { findUnboundTables } from '../findUnboundTables.ts'
import type { History } from './describeHistory.ts'
import { historyOrders, historyPatienceMs, serverHistory } from './serverHistory.ts'
import { twoNetworks } from './twoNetworks.ts'

/** Pages that a call may read whatever it returns: the levels of the indexes of all its statements, and an empty hash table. */
const buffersOfCall = 400
/** Pages for each row that it returns: a look-up in each of five tables by an index of four levels. */
const buffersPerRow = 25
/** Pages for each row that it writes: the row, and an entry in each index of its table. */
const buffersPerWrittenRow = 100
/** Pages for each row of its documented window: one look-up, or a few entries of an index. */
const buffersPerReadRow = 6

type Options = {
  /** rows that the call may read beside those that it returns or writes, when it reads a documented window or number of rows */
  reads?: number | ((history: History) => number)
  /**
   * the query reads or writes rows of all networks on purpose: one outbox sends the alerts and deliveries of all, an account has one list of
   * notifications and one affiliate code
   */
  acrossNetworks?: true
  /** the query names rows by ids, which no two networks share, and so need not bind their tables to a network */
  byId?: true
}

/**
 * Two tests of a query on a long history.
 *
 * On the server of `TEST_DATABASE_URL` its pages are bounded by the rows that it returns and writes. Without a server, whose
 * plans an embedded database has not: each of its statements binds each table to one network, and its result and its
 * writes are the same when the database hides the rows of another network.
 * @param call the query with the worst arguments that a request may give: the account with a tenth of all orders, the pair with half of them, the
 * last page that an offset reaches. A write takes the newest rows, or those that touch most of the history
 */
export const measureRows = (
  { name }: { name: string },
  call: (database: Database, history: History) => PromiseLike<unknown>,
  { reads = 0, acrossNetworks, byId }: Options = {},
): void => {
  const server = process.env.TEST_DATABASE_URL

  describe.skipIf(!server)(`with ${historyOrders} orders`, () => {
    test(`${name} reads no more than it returns and writes`, { timeout: historyPatienceMs }, async () => {
      const { history, database, explain } = await serverHistory(server ?? '')
      const explained = await explain(() => call(database, history))
      const sum = (field: 'buffers' | 'rows' | 'written') =>
        explained.reduce((total, statement) => total + statement[field], 0)
      const [buffers, rows, written] = [sum('buffers'), sum('rows'), sum('written')]
      const bound =
        buffersOfCall +
        buffersPerRow * rows +
        buffersPerWrittenRow * written +
        buffersPerReadRow * (typeof reads === 'number' ? reads : reads(history))
      const worst = explained.toSorted((a, b) => b.buffers - a.buffers)[0]
      expect(buffers, `pages for ${rows} rows and ${written} written, most in ${worst?.query}`).toBeLessThanOrEqual(
        bound,
      )
    })
  })

  if (acrossNetworks) return
  test(`${name} depends on rows of one network and changes no others`, async () => {
    const { history, tables, observe } = await twoNetworks()
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { beside, alone } = await observe((database) => call(database, history))
      const unbound = beside.statements.flatMap((statement) =>
        findUnboundTables(statement, tables).map((table) => `${table}: ${statement}`),
      )
      if (!byId) expect(unbound).toEqual([])
      expect(sortRows(beside.result)).toEqual(sortRows(alone.result))
      expect(beside.written).toEqual(alone.written)
    } finally {
      vi.useRealTimers()
    }
  })
}

/** The order of rows of several queries is undefined. */
const sortRows = (rows: unknown): unknown => {
  if (!Array.isArray(rows)) return rows
  const toText = (row: unknown): string =>
    JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return rows.toSorted((a, b) => (toText(a) < toText(b) ? -1 : 1))
}
