import { setTimeout as sleep } from 'node:timers/promises'
import type { MigrationSession } from './migrationSession.ts'
import { type MigrationStep, splitMigration } from './splitMigration.ts'

export type Migration = { hash: string; folderMillis: number; sql: string[] }

/** A lock is not free, or two transactions wait for each other: the step was undone and may be repeated. */
const repeatable = new Set(['55P03', '40P01'])
/** an hour: a vacuum of a large table keeps its lock that long */
const maxAttempts = 800
const maxDelayMs = 5_000

/** Creates the table of applied migrations, which drizzle-kit knows, and that of an unfinished one. */
export const createMigrationTables = (session: MigrationSession): Promise<void> =>
  session.runTogether([
    'create schema if not exists drizzle',
    `create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
    `create table if not exists drizzle.unfinished_migration
      (created_at bigint primary key, steps integer not null, done text not null)`,
  ])

/**
 * Applies migrations one after the other. Each is recorded when its last step is done; a run that was aborted is continued
 * at the first step that is not done.
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
    `insert into drizzle.__drizzle_migrations (hash, created_at) values (${quote(hash)}, ${folderMillis})`,
  ]
  for (let index = begin; index < steps.length; index += 1) {
    const step = steps[index]
    const isLast = index === steps.length - 1
    if (step) await runStep(session, step, isLast ? recordAll : [recordSteps(folderMillis, steps, index + 1)])
  }
  if (begin >= steps.length) await session.runTogether(recordAll)
}

/** @returns number of steps that an earlier run completed */
const findCompleted = async (
  session: MigrationSession,
  folderMillis: number,
  steps: readonly MigrationStep[],
): Promise<number> => {
  const [row] = await session.run(
    `select steps, done from drizzle.unfinished_migration where created_at = ${folderMillis}`,
  )
  if (!row) return 0
  const count = Number(row.steps)
  if (row.done !== toText(steps.slice(0, count)))
    throw new Error('the completed part of an unfinished migration was changed; restore its text and run it again')
  return count
}

const recordSteps = (folderMillis: number, steps: readonly MigrationStep[], count: number): string =>
  `insert into drizzle.unfinished_migration (created_at, steps, done)
    values (${folderMillis}, ${count}, ${quote(toText(steps.slice(0, count)))})
    on conflict (created_at) do update set steps = excluded.steps, done = excluded.done`

const toText = (steps: readonly MigrationStep[]): string =>
  steps.flatMap((step) => (step.kind === 'together' ? step.statements : [step.statement])).join('\n')

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

const runStep = async (session: MigrationSession, step: MigrationStep, record: readonly string[]): Promise<void> => {
  if (step.kind === 'together') return repeat(() => session.runTogether([...step.statements, ...record]))
  if (step.kind === 'alone') await repeat(() => session.run(step.statement))
  if (step.kind === 'createIndex') await repeat(() => createIndex(session, step))
  if (step.kind === 'dropIndex' && (await findIndex(session, step.index)))
    await repeat(() => session.run(step.statement))
  await session.runTogether(record)
}

/** Builds an index again of which an aborted run left an unusable part. */
const createIndex = async (
  session: MigrationSession,
  { index, statement }: { index: string; statement: string },
): Promise<void> => {
  const existing = await findIndex(session, index)
  if (existing?.valid) return
  if (existing) await session.run(`drop index concurrently if exists "${index}"`)
  await session.run(statement)
}

const findIndex = async (session: MigrationSession, index: string): Promise<{ valid: boolean } | undefined> => {
  const [row] = await session.run(
    `select indisvalid::text as valid from pg_index where indexrelid = to_regclass('"${index}"')`,
  )
  return row && { valid: row.valid === 'true' }
}

const repeat = async (work: () => Promise<unknown>): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (!repeatable.has(findCode(error)) || attempt === maxAttempts) throw error
    }
    await sleep(Math.min(50 * 2 ** attempt, maxDelayMs) * (0.5 + Math.random() / 2))
  }
}

/** The code of a Postgres error, of which the driver's error may be the cause. */
const findCode = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : findCode(error.cause)
}
