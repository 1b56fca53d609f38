import { connectDatabase, type Database } from '#schema/client.ts'
import type { SqlBackend } from '#tools/stack/database/sqlBackend.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'
import { answerInProcess } from './server/answerInProcess.ts'
import { takeDatabase } from './takeDatabase.ts'

/** for a connection and for one statement; other tests load the machine */
const patienceMs = 20_000

export type TestDatabase = {
  /** for Workers: the database by HTTP */
  databaseUrl: string
  /** the same database inside the process */
  database: Database
  /** URL of the database on a server, for a test's own connections; undefined with PGlite, which has only one */
  serverUrl: string | undefined
  /** the text of every statement so far, without repetitions */
  statements: ReadonlySet<string>
  close: () => Promise<void>
}

/**
 * An empty database with all migrations behind the local endpoint: PGlite in memory, or, with `TEST_DATABASE_URL`, a
 * separate database on that server. The test files of a process use it one after the other; a test that changes the schema
 * opens a database of its own.
 */
export const startTestDatabase = async (): Promise<TestDatabase> => {
  const { backend, serverUrl, leave } = await takeDatabase()
  const statements = new Set<string>()
  const recorded = recordStatements(backend, statements)
  const endpoint = await databaseEndpoint({ backend: recorded, port: 0 })
  const inside = answerInProcess(recorded)
  const database = connectDatabase(endpoint.databaseUrl, patienceMs, inside.send)
  return {
    databaseUrl: endpoint.databaseUrl,
    database,
    serverUrl,
    statements,
    close: async () => {
      inside.close()
      await endpoint.close()
      leave()
    },
  }
}

const recordStatements = (backend: SqlBackend, statements: Set<string>): SqlBackend => ({
  ...backend,
  run: (statement) => {
    statements.add(statement.query)
    return backend.run(statement)
  },
  runBatch: (batch, mode) => {
    for (const { query } of batch) statements.add(query)
    return backend.runBatch(batch, mode)
  },
})
