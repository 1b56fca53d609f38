import type { PGlite } from '@electric-sql/pglite'
import type { SqlBackend, SqlResult, SqlStatement } from './sqlBackend.ts'
import { transactionModes } from './sqlBackend.ts'
import { buildBind, buildDeallocateAll, buildExecute, buildParse, buildSync } from './wireRequests.ts'
import { createWireReader, type StatementFields } from './wireResponses.ts'

type Prepared = { name: string; fields: StatementFields | undefined }

/** More statements than the service repeats. */
const maxPrepared = 500
/** Requests after which all are planned again: PGlite never analyzes its tables, and a plan for an empty one reads all of it. */
const planLifetime = 10_000
const unnamed: Prepared = { name: '', fields: undefined }

/**
 * Statements in the binary messages of Postgres's protocol, several in one call of PGlite. Each is prepared at its second use:
 * the service repeats a few large statements on small tables, so that parsing and planning take most of the time.
 */
export const createWireBackend = (pglite: PGlite): SqlBackend => {
  const known = new Map<string, Prepared>()
  /** statements that ran once, such as those of lists of many lengths */
  const seen = new Set<string>()
  let names = 0
  let runs = 0

  /** Sends messages; their responses arrive before the call returns, so no other request comes between. */
  const send = (messages: readonly Buffer[], fields: readonly (StatementFields | undefined)[]) => {
    if (pglite.closed) throw new Error('the database is closed')
    const reader = createWireReader(fields)
    const requests = Buffer.concat([...messages, buildSync()])
    // a call that fails leaves an incomplete response
    pglite.execProtocolRawStream(requests, { syncToFs: false, onRawData: reader.add }).catch(() => undefined)
    return reader.end()
  }
  const find = (query: string): Prepared => {
    const found = known.get(query)
    if (found) return found
    if (!seen.has(query) || known.size >= maxPrepared) {
      seen.add(query)
      return unnamed
    }
    names += 1
    return { name: `statement_${names}`, fields: undefined }
  }
  const run = (statements: readonly SqlStatement[]): SqlResult[] => {
    runs += 1
    if (runs % planLifetime === 0) {
      send(buildDeallocateAll(), [])
      known.clear()
      seen.clear()
    }
    const prepared = statements.map(({ query }) => find(query))
    const messages = statements.flatMap(({ query, params }, i) => {
      const { name = '', fields } = prepared[i] ?? {}
      // prepared only here: its table may be one that an earlier statement of the batch creates
      return [...(fields ? [] : buildParse(name, query)), buildBind(name, params), buildExecute()]
    })
    const { error, results } = send(
      messages,
      prepared.map(({ fields }) => fields),
    )
    if (error) throw error
    for (const [i, { query }] of statements.entries()) {
      const name = prepared[i]?.name
      if (name) known.set(query, { name, fields: results[i]?.fields ?? [] })
    }
    return results
  }

  return {
    run: async (statement) => {
      const [result] = run([statement])
      if (!result) throw new Error('the database gave no result')
      return result
    },
    runBatch: async (statements, mode) => {
      try {
        return run([toStatement(`begin ${transactionModes(mode)}`), ...statements, toStatement('commit')]).slice(1, -1)
      } catch (error) {
        run([toStatement('rollback')])
        throw error
      }
    },
    close: () => pglite.close(),
  }
}

const toStatement = (query: string): SqlStatement => ({ query, params: [] })
