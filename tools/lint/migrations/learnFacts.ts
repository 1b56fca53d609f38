import type { MigrationStatement } from './readStatement.ts'
import { listSyntaxNodes, type SyntaxNode, tableOf } from './syntaxNode.ts'

/** Facts of the migration before a statement. */
export type MigrationFacts = { created: Set<string>; notNull: Map<string, string>; validated: Set<string> }

/** Adds what a statement makes true for later ones. */
export const learnFacts = (
  { type, node }: MigrationStatement,
  { created, notNull, validated }: MigrationFacts,
): void => {
  if (type === 'CreateStmt') created.add(tableOf(node))
  if (type !== 'AlterTableStmt') return
  for (const { AlterTableCmd } of listSyntaxNodes(node.cmds)) {
    const { subtype, name, def } = AlterTableCmd as SyntaxNode
    if (subtype === 'AT_ValidateConstraint') validated.add(`${tableOf(node)}.${name}`)
    const constraint = (def as SyntaxNode | undefined)?.Constraint as SyntaxNode | undefined
    const test = (constraint?.raw_expr as SyntaxNode | undefined)?.NullTest as SyntaxNode | undefined
    if (subtype !== 'AT_AddConstraint' || test?.nulltesttype !== 'IS_NOT_NULL') continue
    const fields = ((test.arg as SyntaxNode).ColumnRef as SyntaxNode | undefined)?.fields
    const column = (listSyntaxNodes(fields).at(-1)?.String as SyntaxNode | undefined)?.sval
    notNull.set(`${tableOf(node)}.${column}`, `${tableOf(node)}.${constraint?.conname}`)
  }
}
