import type { SyntaxNode } from './syntaxNode.ts'

/** Faults of a constraint that is added to a table in service. */
export const findConstraintFaults = ({
  contype,
  skip_validation: skipped,
  indexname,
  conname,
}: SyntaxNode): string[] => {
  if (contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN')
    return skipped ? [] : [`constraint ${conname} reads the table: add it \`not valid\`, then \`validate constraint\``]
  if (contype === 'CONSTR_UNIQUE' && indexname) return []
  return [`constraint ${conname} builds an index: create a unique index concurrently`]
}
