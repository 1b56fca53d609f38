import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { connectDatabase } from '#schema/client.ts'
import { isLoopback } from '#schema/neon/connectNeon.ts'
import { grantRows } from '../migrations/grantRows.ts'
import { connectLocalSession, connectMigrationSession, type MigrationSession } from '../migrations/migrationSession.ts'
import { createMigrationTables, runMigrations } from '../migrations/runMigrations.ts'

const defaultFolder = join(import.meta.dirname, '../../schema/migrations')

/**
 * Names of the pending migrations of a database; changes nothing.
 * @throws Error when the database is newer than these sources, or an applied migration was changed
 */
export const findPendingMigrations = async (databaseUrl: string, folder = defaultFolder): Promise<string[]> => {
  const database = connectDatabase(databaseUrl)
  const table = await database.execute<{ name: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') as name`,
  )
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  const applied = table.rows[0]?.name ? (await database.execute(sql.raw(selectApplied))).rows : []
  const pending = findPending(applied, migrations)
  const { entries }: { entries: { tag: string }[] } = JSON.parse(
    await readFile(join(folder, 'meta/_journal.json'), 'utf8'),
  )
  return entries.slice(entries.length - pending.length).map(({ tag }) => tag)
}

/**
 * Applies pending migrations one after the other; records them where drizzle-kit does. A server is migrated over a
 * connection of its own, the endpoint of a local stack over HTTP. The log of a restored database is continued.
 * @param options.isServer a server, also on this machine
 * @param options.workersRole another role than that of `databaseUrl`, which gets the rights of the Workers
 * @returns number of applied migrations
 * @throws Error when the database is newer than these sources, or an applied migration was changed
 */
export const applyMigrations = async (
  databaseUrl: string,
  options: { folder?: string; workersRole?: string | undefined; isServer?: boolean } = {},
): Promise<number> => {
  const session =
    !options.isServer && isLoopback(databaseUrl)
      ? connectLocalSession(databaseUrl)
      : await connectMigrationSession(databaseUrl)
  try {
    const applied = await migrate(session, options.folder)
    if (options.workersRole !== undefined) await grantRows(session, options.workersRole)
    return applied
  } finally {
    await session.close()
  }
}

/** Applies the pending migrations of a folder; see `applyMigrations`. */
export const migrate = async (session: MigrationSession, folder = defaultFolder): Promise<number> => {
  await createMigrationTables(session)
  const rows = await session.run(selectApplied)
  const pending = findPending(rows, readMigrationFiles({ migrationsFolder: folder }))
  await runMigrations(session, pending)
  await continueOrderLog(session)
  return pending.length
}

/**
 * Lets the positions of order events continue where a database was restored from another cluster; else does nothing.
 */
const continueOrderLog = async (session: MigrationSession): Promise<void> => {
  const [{ name } = {}] = await session.run(`select to_regprocedure('continue_order_log(boolean)')::text as name`)
  if (name) await session.run('select continue_order_log()')
}

const selectApplied = 'select hash from drizzle.__drizzle_migrations order by created_at, id'

const findPending = (rows: readonly Record<string, unknown>[], migrations: MigrationMeta[]): MigrationMeta[] => {
  if (rows.length > migrations.length)
    throw new Error(
      `the database is newer than these sources: it has ${rows.length} migrations, they know ${migrations.length}`,
    )
  rows.forEach(({ hash }, index) => {
    if (migrations[index]?.hash !== hash) throw new Error(`migration ${index} was changed after it was applied`)
  })
  return migrations.slice(rows.length)
}
