/** A part of a migration that is completed, recorded and resumed as a whole. */
export type MigrationStep =
  /** one transaction; locks its tables for an instant */
  | { kind: 'together'; statements: string[] }
  /** outside a transaction; waits for older transactions and blocks no write */
  | { kind: 'createIndex' | 'dropIndex'; index: string; statement: string }
  /** one statement that may take long and blocks no write */
  | { kind: 'alone'; statement: string }

const name = String.raw`(?:"?\w+"?\.)?"?(?<index>\w+)"?`
const createIndex = new RegExp(
  String.raw`^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?${name}`,
  'i',
)
const dropIndex = new RegExp(String.raw`^drop\s+index\s+concurrently\s+(?:if\s+exists\s+)?${name}`, 'i')
const validateConstraint = /^alter\s+table\s+.*\bvalidate\s+constraint\b/is
const leadingComments = /^(?:\s|--[^\n]*\n|\/\*.*?\*\/)+/s

/** @param statements of one migration, in order */
export const splitMigration = (statements: readonly string[]): MigrationStep[] => {
  const steps: MigrationStep[] = []
  for (const statement of statements) {
    const step = toStep(statement)
    const last = steps.at(-1)
    if (step.kind === 'together' && last?.kind === 'together') last.statements.push(statement)
    else steps.push(step)
  }
  return steps
}

const toStep = (statement: string): MigrationStep => {
  const text = statement.replace(leadingComments, '')
  const created = createIndex.exec(text)?.groups?.index
  if (created) return { kind: 'createIndex', index: created, statement }
  const dropped = dropIndex.exec(text)?.groups?.index
  if (dropped) return { kind: 'dropIndex', index: dropped, statement }
  return validateConstraint.test(text) ? { kind: 'alone', statement } : { kind: 'together', statements: [statement] }
}
