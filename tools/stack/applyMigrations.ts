import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { connectDatabase, type Database } from '#schema/client.ts'

const defaultFolder = join(import.meta.dirname, '../../schema/migrations')
/** milliseconds; an index of a large table takes long */
const migrationTimeoutMs = 600_000

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
  const pending = table.rows[0]?.name ? await findPending(database, migrations) : migrations
  const { entries }: { entries: { tag: string }[] } = JSON.parse(
    await readFile(join(folder, 'meta/_journal.json'), 'utf8'),
  )
  return entries.slice(entries.length - pending.length).map(({ tag }) => tag)
}

/**
 * Applies all pending migrations in one transaction; records them where drizzle-kit does.
 * @returns number of applied migrations
 * @throws Error when the database is newer than these sources, or an applied migration was changed
 */
export const applyMigrations = async (databaseUrl: string, folder = defaultFolder): Promise<number> => {
  const database = connectDatabase(databaseUrl, migrationTimeoutMs)
  await database.batch([
    database.execute(sql`create schema if not exists drizzle`),
    database.execute(sql`create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`),
  ])
  const pending = await findPending(database, readMigrationFiles({ migrationsFolder: folder }))
  const statements = pending.flatMap((migration) => [
    ...migration.sql.map((statement) => database.execute(sql.raw(statement))),
    database.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at)
      values (${migration.hash}, ${migration.folderMillis})`),
  ])
  const [first, ...rest] = statements
  if (first) await database.batch([first, ...rest])
  return pending.length
}

const findPending = async (database: Database, migrations: MigrationMeta[]): Promise<MigrationMeta[]> => {
  const applied = await database.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by created_at, id`,
  )
  if (applied.rows.length > migrations.length)
    throw new Error(
      `the database is newer than these sources: it has ${applied.rows.length} migrations, they know ${migrations.length}`,
    )
  applied.rows.forEach(({ hash }, index) => {
    if (migrations[index]?.hash !== hash) throw new Error(`migration ${index} was changed after it was applied`)
  })
  return migrations.slice(applied.rows.length)
}
