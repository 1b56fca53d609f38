import type { MigrationSession } from './migrationSession.ts'
import { repeatWhileLocked } from './repeatWhileLocked.ts'
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
