import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { connectDatabase, type Database } from '#schema/client.ts'
import { applyMigrations } from '#tools/stack/applyMigrations.ts'
import { openPglite } from '#tools/stack/database/openPglite.ts'
import { openPostgres } from '#tools/stack/database/openPostgres.ts'
import type { SqlBackend } from '#tools/stack/database/sqlBackend.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'

export type TestDatabase = { databaseUrl: string; database: Database; close: () => Promise<void> }

/**
 * A fresh database with all migrations behind the local endpoint: PGlite in memory, or, with `TEST_DATABASE_URL`, a
 * database of its own on that server.
 */
export const startTestDatabase = async (): Promise<TestDatabase> => {
  const server = process.env.TEST_DATABASE_URL
  const { backend, drop } = server ? await createOnServer(server) : { backend: await openPglite(), drop: undefined }
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  await applyMigrations(endpoint.databaseUrl)
  return {
    databaseUrl: endpoint.databaseUrl,
    database: connectDatabase(endpoint.databaseUrl),
    close: async () => {
      await endpoint.close()
      await backend.close()
      await drop?.()
    },
  }
}

const createOnServer = async (server: string): Promise<{ backend: SqlBackend; drop: () => Promise<void> }> => {
  const name = `edgebook_test_${randomBytes(6).toString('hex')}`
  await runOnServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { backend: openPostgres(url.href), drop: () => runOnServer(server, `drop database ${name} with (force)`) }
}

const runOnServer = async (server: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
