import { dataStatements } from './dataStatements.ts'
import { findCommandFaults } from './findCommandFaults.ts'
import type { MigrationFacts } from './learnFacts.ts'
import type { MigrationStatement } from './readStatement.ts'
import { listSyntaxNodes, type SyntaxNode, tableOf } from './syntaxNode.ts'

/** A person has checked that no Worker in service needs what is removed, or that few rows are written. */
const marker = /^\s*-- reviewed: \S.*$/m
const additions = new Set(['CreateStmt', 'CreateEnumStmt', 'CreateFunctionStmt', 'CreateSeqStmt', 'ViewStmt'])

/** Faults of a statement after those before it. */
export const findStatementFaults = ({ text, type, node }: MigrationStatement, context: MigrationFacts): string[] => {
  const isReviewed = marker.test(text)
  const unlessReviewed = (fault: string) => (isReviewed ? [] : [`${fault}; if so, say why: \`-- reviewed: …\``])
  if (additions.has(type) || type === 'SelectStmt') return []
  if (type === 'IndexStmt') return findIndexFaults(node, context)
  if (type === 'AlterTableStmt')
    return context.created.has(tableOf(node))
      ? []
      : listSyntaxNodes(node.cmds).flatMap((command) => findCommandFaults(command, node, context, unlessReviewed))
  if (type === 'AlterEnumStmt') return 'oldVal' in node ? ['a renamed value stops Workers in service: add one'] : []
  if (type === 'RenameStmt')
    return node.renameType === 'OBJECT_INDEX'
      ? []
      : ['a renamed table or column stops Workers in service: add a new one']
  if (type === 'DropStmt' && node.removeType === 'OBJECT_INDEX')
    return node.concurrent ? [] : ['drop index locks its table: drop index concurrently']
  if (type === 'DropStmt') return unlessReviewed('what is dropped must be unused by every Worker in service')
  if (dataStatements.has(type))
    return context.created.has(tableOf(node))
      ? []
      : unlessReviewed('rows of a table in service are locked: they must be few')
  return [`${type} is not among the statements that a migration may have`]
}

const findIndexFaults = (node: SyntaxNode, { created }: MigrationFacts): string[] => {
  if (created.has(tableOf(node))) return []
  if (!node.concurrent) return [`create index on ${tableOf(node)} locks it: create index concurrently`]
  return node.idxname ? [] : ['an index needs a name, so that an aborted build can be repeated']
}
