import type { MigrationSession } from './migrationSession.ts'
import { toStepText } from './recordSteps.ts'
import type { MigrationStep } from './splitMigration.ts'

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
