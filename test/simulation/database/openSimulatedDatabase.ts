import { PGlite } from '@electric-sql/pglite'
import { answerSql } from '#tools/stack/database/answerSql.ts'
import { createWireBackend } from '#tools/stack/database/createWireBackend.ts'
import { findPackedDatabase } from '#tools/stack/database/findPackedDatabase.ts'
import type { SqlBackend } from '#tools/stack/database/sqlBackend.ts'
import { createPlainResponse } from '../platform/plainMessages.ts'
import { createSnapshot } from './createSnapshot.ts'

/** Step at which a request to the database fails: before it runs, within its transaction, or once it is committed. */
export type DatabaseFault = 'before' | 'during' | 'after'

/** The service's database: Postgres within this process. */
export type SimulatedDatabase = {
  /** Responds to a request of the service; a fault is a lost connection. */
  answer: (request: Request, fault: DatabaseFault | undefined) => Promise<Response>
  /** rows as text by column, outside of the service's time */
  read: (query: string, params?: string[]) => Promise<Record<string, string | null>[]>
  /**
   * Counts what the tables hold, as the autovacuum of a server does; statements are planned again. Those of empty tables read whole
   * tables, which takes ever longer.
   */
  analyze: () => Promise<void>
  /**
   * Begins with the migrated cluster again. Empty tables would not do: ids of transactions and the catalogue of a used
   * cluster continue from the run before. The first run's time and random bytes are those of its start.
   */
  restore: () => Promise<void>
}

/** Statements are planned in another way, which returns rows without an order in another one. */
const otherPlans = 'set enable_seqscan = off; set enable_nestloop = off'

export const openSimulatedDatabase = async (): Promise<SimulatedDatabase> => {
  const cluster = await findPackedDatabase()
  let opened: { pglite: PGlite; revert: () => void } | undefined
  let backend: SqlBackend | undefined
  const findBackend = (): SqlBackend => {
    if (!backend) throw new Error('no run has the database')
    return backend
  }
  const start = async () => {
    const pglite = await PGlite.create({ dataDir: 'memory://', loadDataDir: cluster })
    // PGlite ignores a panic of Postgres, which then waits for its own locks for ever
    Object.assign(pglite.Module, { onAbort: endProcess })
    // planned once, until the tables are analyzed
    await pglite.exec('set plan_cache_mode = force_generic_plan')
    if (process.env.SIMULATION_PLANS === 'other') await pglite.exec(otherPlans)
    return { pglite, revert: createSnapshot(pglite) }
  }
  return {
    answer: async (request, fault) => {
      if (fault === 'before') throw new TypeError('fetch failed')
      const healthy = findBackend()
      const sql = { header: (name: string) => request.headers.get(name) ?? undefined, text: await request.text() }
      const { status, body } = await answerSql(fault === 'during' ? abortLast(healthy) : healthy, sql)
      if (fault !== undefined) throw new TypeError('fetch failed')
      return createPlainResponse(body, status)
    },
    read: async (query, params = []) => {
      const { rows, fields } = await findBackend().run({ query, params })
      return rows.map((row) => Object.fromEntries(fields.map(({ name }, i) => [name, row[i] ?? null])))
    },
    analyze: async () => {
      await findBackend().run({ query: 'analyze', params: [] })
    },
    restore: async () => {
      if (opened) opened.revert()
      opened ??= await start()
      backend = createWireBackend(opened.pglite)
    },
  }
}

const endProcess = (): never => {
  process.stderr.write('the database of the simulation has panicked\n')
  process.exit(1)
}

/** Runs statements in a transaction that fails at its end, so that only sequences advance. */
const abortLast = (backend: SqlBackend): SqlBackend => {
  const failing = { query: 'select 1 / 0', params: [] }
  const mode = { isolationLevel: undefined, readOnly: false, deferrable: false }
  return {
    ...backend,
    run: async (statement) => {
      const [result] = await backend.runBatch([statement, failing], mode)
      if (!result) throw new Error('unreachable')
      return result
    },
    runBatch: (statements, ownMode) => backend.runBatch([...statements, failing], ownMode),
  }
}
