import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { connectDatabase, type Database } from '#schema/client.ts'
import { applyMigrations } from '#tools/stack/applyMigrations.ts'
import { openPglite } from '#tools/stack/database/openPglite.ts'
import { openPostgres } from '#tools/stack/database/openPostgres.ts'
import type { SqlBackend } from '#tools/stack/database/sqlBackend.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'

/** for a connection and for one statement; other tests load the machine */
const patienceMs = 20_000

export type TestDatabase = {
  databaseUrl: string
  database: Database
  /** URL of the database on a server, for a test's own connections; undefined with PGlite, which has only one */
  serverUrl: string | undefined
  close: () => Promise<void>
}

/**
 * A fresh database with all migrations behind the local endpoint: PGlite in memory, or, with `TEST_DATABASE_URL`, a
 * separate database on that server.
 */
export const startTestDatabase = async (): Promise<TestDatabase> => {
  const server = process.env.TEST_DATABASE_URL
  const created = server ? await createOnServer(server) : undefined
  const backend = created?.backend ?? (await openPglite())
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  await applyMigrations(endpoint.databaseUrl)
  return {
    databaseUrl: endpoint.databaseUrl,
    database: connectDatabase(endpoint.databaseUrl, patienceMs),
    serverUrl: created?.url,
    close: async () => {
      await endpoint.close()
      await backend.close()
      await created?.drop()
    },
  }
}

const createOnServer = async (
  server: string,
): Promise<{ url: string; backend: SqlBackend; drop: () => Promise<void> }> => {
  const name = `edgebook_test_${randomBytes(6).toString('hex')}`
  await runOnServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    backend: openPostgres(url.href, patienceMs),
    drop: () => runOnServer(server, `drop database ${name} with (force)`),
  }
}

const runOnServer = async (server: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
