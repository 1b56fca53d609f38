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

const plainColumnConstraints = new Set(['CONSTR_DEFAULT', 'CONSTR_NOTNULL', 'CONSTR_NULL'])

/** Faults of a column that is added to a table in service. */
const findColumnFaults = (column: SyntaxNode): string[] => {
  const constraints = listSyntaxNodes(column.constraints).map(({ Constraint }) => Constraint as SyntaxNode)
  const fallback = constraints.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr
  const label = `column ${column.colname}`
  const typeNames = JSON.stringify(column.typeName)
  return [
    ...(fallback !== undefined && !isEvaluatedOnce(fallback as SyntaxNode)
      ? [
          `${label}: a default that may differ per row rewrites the table: add it in a second statement, \`set default\``,
        ]
      : []),
    ...(fallback === undefined && constraints.some(({ contype }) => contype === 'CONSTR_NOTNULL')
      ? [`${label}: not null needs a constant default`]
      : []),
    ...(constraints.some(({ contype }) => !plainColumnConstraints.has(String(contype))) ||
    /"(big|small)?serial\d?"/.test(typeNames)
      ? [`${label}: its constraint, identity or generated value reads or rewrites the table: add it without`]
      : []),
  ]
}

/** Whether Postgres stores the default once for all rows that exist. */
const isEvaluatedOnce = ({ A_Const, TypeCast, SQLValueFunction, FuncCall }: SyntaxNode): boolean => {
  if (A_Const || SQLValueFunction) return true
  if (TypeCast) return isEvaluatedOnce((TypeCast as SyntaxNode).arg as SyntaxNode)
  return JSON.stringify((FuncCall as SyntaxNode | undefined)?.funcname) === '[{"String":{"sval":"now"}}]'
}

/** Faults of a constraint that is added to a table in service. */
const findConstraintFaults = ({ contype, skip_validation: skipped, indexname, conname }: SyntaxNode): string[] => {
  if (contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN')
    return skipped ? [] : [`constraint ${conname} reads the table: add it \`not valid\`, then \`validate constraint\``]
  if (contype === 'CONSTR_UNIQUE' && indexname) return []
  return [`constraint ${conname} builds an index: create a unique index concurrently`]
}
