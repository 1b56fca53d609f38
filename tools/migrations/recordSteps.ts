import type { MigrationSession } from './migrationSession.ts'
import type { MigrationStep } from './splitMigration.ts'

/** SQL that records the first steps of a migration as completed. */
export const recordSteps = (folderMillis: number, steps: readonly MigrationStep[], count: number): string =>
  `insert into drizzle.unfinished_migration (created_at, steps, done)
    values (${folderMillis}, ${count}, ${quoteText(toStepText(steps.slice(0, count)))})
    on conflict (created_at) do update set steps = excluded.steps, done = excluded.done`

/** @returns number of steps that an earlier run completed */
export const findCompleted = async (
  session: MigrationSession,
  folderMillis: number,
  steps: readonly MigrationStep[],
): Promise<number> => {
  const [row] = await session.run(
    `select steps, done from drizzle.unfinished_migration where created_at = ${folderMillis}`,
  )
  if (!row) return 0
  const count = Number(row.steps)
  if (row.done !== toStepText(steps.slice(0, count)))
    throw new Error('the completed part of an unfinished migration was changed; restore its text and run it again')
  return count
}

/** Statements of steps, by which a changed migration is recognised. */
const toStepText = (steps: readonly MigrationStep[]): string =>
  steps.flatMap((step) => (step.kind === 'together' ? step.statements : [step.statement])).join('\n')

/** A text as an SQL literal. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
