import { connectDatabase, type Database } from '#schema/client.ts'
import { applyMigrations } from '#tools/stack/applyMigrations.ts'
import { openPglite } from '#tools/stack/database/openPglite.ts'
import { openPostgres } from '#tools/stack/database/openPostgres.ts'
import type { SqlBackend } from '#tools/stack/database/sqlBackend.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'
import { renewDatabase } from './renewDatabase.ts'
import { createOnServer } from './server/createOnServer.ts'

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

type Migrated = { backend: SqlBackend; serverUrl: string | undefined }

/** Migrated databases that closed test databases have left to the next ones of this process. */
const unused: Migrated[] = []

/**
 * An empty database with all migrations behind the local endpoint: PGlite in memory, or, with `TEST_DATABASE_URL`, a
 * separate database on that server. The test files of a process use it one after the other; a test that changes the schema
 * opens a database of its own.
 */
export const startTestDatabase = async (): Promise<TestDatabase> => {
  const used = unused.pop()
  const { backend, serverUrl } = used ?? (await open())
  const statements = new Set<string>()
  const endpoint = await databaseEndpoint({ backend: recordStatements(backend, statements), port: 0 })
  const database = connectDatabase(endpoint.databaseUrl, patienceMs)
  await (used ? renewDatabase(database) : applyMigrations(endpoint.databaseUrl))
  statements.clear()
  return {
    databaseUrl: endpoint.databaseUrl,
    database,
    serverUrl,
    statements,
    close: async () => {
      await endpoint.close()
      unused.push({ backend, serverUrl })
    },
  }
}

const open = async (): Promise<Migrated> => {
  const server = process.env.TEST_DATABASE_URL
  if (!server) return { backend: await openPglite(), serverUrl: undefined }
  const { url } = await createOnServer(server)
  return { backend: openPostgres(url), serverUrl: url }
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
