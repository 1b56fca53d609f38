import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { connectDatabase } from '#schema/client.ts'

const defaultFolder = join(import.meta.dirname, '../../schema/migrations')

/**
 * Brings a database to the newest migration, all pending ones in one transaction; keeps book where drizzle-kit does.
 * @returns how many migrations were applied
 * @throws Error when a migration that is already applied has been changed since
 */
export const applyMigrations = async (databaseUrl: string, folder = defaultFolder): Promise<number> => {
  const database = connectDatabase(databaseUrl)
  await database.batch([
    database.execute(sql`create schema if not exists drizzle`),
    database.execute(sql`create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`),
  ])
  const applied = await database.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by created_at, id`,
  )
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  applied.rows.forEach(({ hash }, index) => {
    if (migrations[index]?.hash !== hash) throw new Error(`migration ${index} was changed after it was applied`)
  })
  const pending = migrations.slice(applied.rows.length)
  const statements = pending.flatMap((migration) => [
    ...migration.sql.map((statement) => database.execute(sql.raw(statement))),
    database.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at)
      values (${migration.hash}, ${migration.folderMillis})`),
  ])
  const [first, ...rest] = statements
  if (first) await database.batch([first, ...rest])
  return pending.length
}
