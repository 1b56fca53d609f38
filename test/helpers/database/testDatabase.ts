import { connectDatabase, type Database } from '#schema/client.ts'
import { applyMigrations } from '#tools/stack/applyMigrations.ts'
import { openPglite } from '#tools/stack/database/openPglite.ts'
import { openPostgres } from '#tools/stack/database/openPostgres.ts'
import type { SqlBackend } from '#tools/stack/database/sqlBackend.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'
import { createOnServer } from './createOnServer.ts'
import { renewDatabase } from './renewDatabase.ts'

/** for a connection and for one statement; other tests load the machine */
const patienceMs = 20_000

export type TestDatabase = {
  databaseUrl: string
  database: Database
  /** URL of the database on a server, for a test's own connections; undefined with PGlite, which has only one */
  serverUrl: string | undefined
  /** the text of every statement so far, without repetitions */
  statements: ReadonlySet<string>
  close: () => Promise<void>
}

/** Migrated databases in memory that a closed test database has left to the next one of this process. */
const unused: SqlBackend[] = []

/**
 * An empty database with all migrations behind the local endpoint: PGlite in memory, which the test files of a process use one
 * after the other, or, with `TEST_DATABASE_URL`, a separate database on that server. A test that changes the schema opens
 * a database of its own.
 */
export const startTestDatabase = async (): Promise<TestDatabase> => {
  const server = process.env.TEST_DATABASE_URL
  const created = server ? await createOnServer(server) : undefined
  const used = created ? undefined : unused.pop()
  const backend = created ? openPostgres(created.url) : (used ?? (await openPglite()))
  const statements = new Set<string>()
  const endpoint = await databaseEndpoint({ backend: recordStatements(backend, statements), port: 0 })
  const database = connectDatabase(endpoint.databaseUrl, patienceMs)
  await (used ? renewDatabase(database) : applyMigrations(endpoint.databaseUrl))
  statements.clear()
  return {
    databaseUrl: endpoint.databaseUrl,
    database,
    serverUrl: created?.url,
    statements,
    close: async () => {
      await endpoint.close()
      if (!created) return void unused.push(backend)
      await backend.close()
      await created.drop()
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
