import { sql } from 'drizzle-orm'
import { connectDatabase } from '#schema/client.ts'
import { applyMigrations } from '#tools/stack/applyMigrations.ts'
import { findPackedDatabase } from '#tools/stack/database/findPackedDatabase.ts'
import { openPglite } from '#tools/stack/database/openPglite.ts'
import { openPostgres } from '#tools/stack/database/openPostgres.ts'
import type { SqlBackend } from '#tools/stack/database/sqlBackend.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'
import { renewDatabase } from './renewDatabase.ts'
import { createOnServer } from './server/createOnServer.ts'

type Migrated = { backend: SqlBackend; serverUrl: string | undefined }

/** Databases that earlier users have left to the next ones of this process. */
const unused: Migrated[] = []

/**
 * A migrated database without rows: PGlite in memory, or, with `TEST_DATABASE_URL`, a separate database on that server.
 * Users of a process take it one after the other: `leave` gives it to the next one as soon as its last statement has ended.
 */
export const takeDatabase = async (): Promise<Migrated & { leave: () => void }> => {
  const used = unused.pop()
  const taken = used ?? (await open())
  if (used) await renew(used.backend)
  const running = new Set<Promise<unknown>>()
  const follow = <Result>(statement: Promise<Result>): Promise<Result> => {
    const end = () => running.delete(statement)
    running.add(statement)
    statement.then(end, end)
    return statement
  }
  const backend: SqlBackend = {
    ...taken.backend,
    run: (statement) => follow(taken.backend.run(statement)),
    runBatch: (statements, mode) => follow(taken.backend.runBatch(statements, mode)),
  }
  const leave = () => void Promise.allSettled(running).then(() => unused.push(taken))
  return { ...taken, backend, leave }
}

const open = async (): Promise<Migrated> => {
  const server = process.env.TEST_DATABASE_URL
  if (!server) return { backend: await openPglite(undefined, await findPackedDatabase()), serverUrl: undefined }
  const { url } = await createOnServer(server)
  const backend = openPostgres(url)
  await atEndpoint(backend, applyMigrations)
  return { backend, serverUrl: url }
}

/** of a statement that empties two million orders beside other work */
const renewalMs = 60_000

/** The chain of a stack that had the database is forgotten, too. */
const renew = (backend: SqlBackend) =>
  atEndpoint(backend, async (databaseUrl) => {
    const database = connectDatabase(databaseUrl, renewalMs)
    await database.execute(sql`drop schema if exists local_stack cascade`)
    await renewDatabase(database)
  })

const atEndpoint = async (backend: SqlBackend, use: (databaseUrl: string) => Promise<unknown>): Promise<void> => {
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  await use(endpoint.databaseUrl)
  await endpoint.close()
}
