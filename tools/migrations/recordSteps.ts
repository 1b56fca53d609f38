import type { MigrationStep } from './splitMigration.ts'

/** SQL that records the first steps of a migration as completed. */
export const recordSteps = (folderMillis: number, steps: readonly MigrationStep[], count: number): string =>
  `insert into drizzle.unfinished_migration (created_at, steps, done)
    values (${folderMillis}, ${count}, ${quoteText(toStepText(steps.slice(0, count)))})
    on conflict (created_at) do update set steps = excluded.steps, done = excluded.done`

/** Statements of steps, by which a changed migration is recognised. */
export const toStepText = (steps: readonly MigrationStep[]): string =>
  steps.flatMap((step) => (step.kind === 'together' ? step.statements : [step.statement])).join('\n')

/** A text as an SQL literal. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
