import type { PGlite } from '@electric-sql/pglite'
import type { SqlBackend, SqlResult, SqlStatement } from '#tools/stack/database/sqlBackend.ts'
import { transactionModes } from '#tools/stack/database/sqlBackend.ts'
import { buildBind, buildExecute, buildParse, buildSync } from './wireRequests.ts'
import { createWireReader, type StatementFields } from './wireResponses.ts'

type Prepared = { name: string; fields: StatementFields }

/**
 * Statements in the binary messages of Postgres's protocol, several in one call of PGlite. Each is prepared at its first use:
 * the service repeats a few large statements on small tables, so that parsing and planning take most of the time of a run.
 */
export const createWireBackend = (pglite: PGlite): SqlBackend => {
  const known = new Map<string, Prepared>()

  /** Sends messages; their responses arrive before the call returns, so no other request comes between. */
  const send = (messages: readonly Buffer[], fields: readonly StatementFields[]) => {
    const reader = createWireReader(fields)
    const requests = Buffer.concat([...messages, buildSync()])
    void pglite.execProtocolRawStream(requests, { syncToFs: false, onRawData: reader.add })
    return reader.end()
  }
  const prepare = (query: string): Prepared => {
    const found = known.get(query)
    if (found) return found
    const name = `statement_${known.size}`
    const { error, described } = send(buildParse(name, query), [])
    if (error) throw error
    const prepared = { name, fields: described }
    known.set(query, prepared)
    return prepared
  }
  const run = (statements: readonly SqlStatement[]): SqlResult[] => {
    const prepared = statements.map(({ query }) => prepare(query))
    const messages = statements.flatMap(({ params }, i) => [buildBind(prepared[i]?.name ?? '', params), buildExecute()])
    const { error, results, isInTransaction } = send(
      messages,
      prepared.map(({ fields }) => fields),
    )
    if (!error) return results
    if (isInTransaction) run([{ query: 'rollback', params: [] }])
    throw error
  }

  return {
    run: async (statement) => {
      const [result] = run([statement])
      if (!result) throw new Error('the database gave no result')
      return result
    },
    runBatch: async (statements, mode) => {
      const begin = { query: `begin ${transactionModes(mode)}`, params: [] }
      return run([begin, ...statements, { query: 'commit', params: [] }]).slice(1, -1)
    },
    close: () => pglite.close(),
  }
}
