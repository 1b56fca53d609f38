import { setTimeout as sleep } from 'node:timers/promises'
import type { MigrationSession } from './migrationSession.ts'
import type { MigrationStep } from './splitMigration.ts'

/** Runs a step and records it; what an aborted run left of it is completed. */
export const runMigrationStep = async (
  session: MigrationSession,
  step: MigrationStep,
  record: readonly string[],
): Promise<void> => {
  if (step.kind === 'together') return repeatWhileLocked(() => session.runTogether([...step.statements, ...record]))
  if (step.kind === 'alone') await repeatWhileLocked(() => session.run(step.statement))
  if (step.kind === 'createIndex') await repeatWhileLocked(() => createIndex(session, step))
  if (step.kind === 'dropIndex' && (await findIndex(session, step.index)))
    await repeatWhileLocked(() => session.run(step.statement))
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

/** A lock is not free, or two transactions wait for each other: the step was undone and may be repeated. */
const repeatable = new Set(['55P03', '40P01'])
/** an hour: a vacuum of a large table holds its lock that long */
const maxAttempts = 800
const maxDelayMs = 5_000

/** Repeats a step while a lock that it needs is not free. */
const repeatWhileLocked = async (work: () => Promise<unknown>): Promise<void> => {
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
