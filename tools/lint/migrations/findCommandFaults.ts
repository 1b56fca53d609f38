import { findColumnFaults } from './findColumnFaults.ts'
import { findConstraintFaults } from './findConstraintFaults.ts'
import type { MigrationFacts } from './learnFacts.ts'
import { listSyntaxNodes, type SyntaxNode, tableOf } from './syntaxNode.ts'

/** Commands on an existing table that only change its catalog. */
const catalogCommands = new Set([
  'AT_ColumnDefault',
  'AT_DropNotNull',
  'AT_DropConstraint',
  'AT_SetStatistics',
  'AT_SetRelOptions',
])

/** Faults of a change to a table in service. */
export const findCommandFaults = (
  { AlterTableCmd }: SyntaxNode,
  table: SyntaxNode,
  context: MigrationFacts,
  unlessReviewed: (fault: string) => string[],
): string[] => {
  const command = AlterTableCmd as SyntaxNode
  const { subtype, name } = command
  const definition = command.def as SyntaxNode | undefined
  if (catalogCommands.has(String(subtype))) return []
  if (subtype === 'AT_AddColumn') return findColumnFaults(definition?.ColumnDef as SyntaxNode)
  if (subtype === 'AT_AddConstraint') return findConstraintFaults(definition?.Constraint as SyntaxNode)
  if (subtype === 'AT_ValidateConstraint')
    return listSyntaxNodes(table.cmds).length === 1 ? [] : ['validate constraint must be a statement of its own']
  if (subtype === 'AT_SetNotNull') {
    const check = context.notNull.get(`${tableOf(table)}.${name}`)
    return check && context.validated.has(check)
      ? []
      : [`set not null scans ${tableOf(table)}: before it, add a check (${name} is not null) not valid and validate it`]
  }
  if (subtype === 'AT_DropColumn') return unlessReviewed(`${name} must be unused by every Worker in service`)
  if (subtype === 'AT_AlterColumnType') return [`the new type of ${name} rewrites ${tableOf(table)}: add a new column`]
  return [`${subtype} is not among the changes that a migration may make to a table in service`]
}
