import type { MigrationSession } from './migrationSession.ts'
import { findCompleted, quoteText, recordSteps } from './recordSteps.ts'
import { runMigrationStep } from './runMigrationStep.ts'
import { splitMigration } from './splitMigration.ts'

export type Migration = { hash: string; folderMillis: number; sql: string[] }

/** Creates the table of applied migrations, which drizzle-kit knows, and that of an unfinished one. */
export const createMigrationTables = (session: MigrationSession): Promise<void> =>
  session.runTogether([
    'create schema if not exists drizzle',
    `create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
    `create table if not exists drizzle.unfinished_migration
      (created_at bigint primary key, steps integer not null, done text not null)`,
  ])

/**
 * Applies migrations one after the other. Each is recorded when its last step is done; a run that was aborted is
 * continued at the first step that is not done.
 * @throws Error when a statement fails, or the completed steps of an unfinished migration were changed
 */
export const runMigrations = async (session: MigrationSession, migrations: readonly Migration[]): Promise<void> => {
  for (const migration of migrations) await runMigration(session, migration)
}

const runMigration = async (session: MigrationSession, { hash, folderMillis, sql }: Migration): Promise<void> => {
  const steps = splitMigration(sql)
  const begin = await findCompleted(session, folderMillis, steps)
  const recordAll = [
    `delete from drizzle.unfinished_migration where created_at = ${folderMillis}`,
    `insert into drizzle.__drizzle_migrations (hash, created_at) values (${quoteText(hash)}, ${folderMillis})`,
  ]
  for (let index = begin; index < steps.length; index += 1) {
    const step = steps[index]
    const isLast = index === steps.length - 1
    if (step) await runMigrationStep(session, step, isLast ? recordAll : [recordSteps(folderMillis, steps, index + 1)])
  }
  if (begin >= steps.length) await session.runTogether(recordAll)
}
