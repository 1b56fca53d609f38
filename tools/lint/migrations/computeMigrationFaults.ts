import { splitMigration } from '../../migrations/splitMigration.ts'
import { dataStatements } from './dataStatements.ts'
import { findStatementFaults } from './findStatementFaults.ts'
import { learnFacts, type MigrationFacts } from './learnFacts.ts'
import { breakpoint, readStatement } from './readStatement.ts'
import { tableOf } from './syntaxNode.ts'

/**
 * Statements of a migration that stop reads or writes of a large table, or remove what Workers in service use.
 * @param path of a file in `schema/migrations`
 * @returns one line for each, with what to write instead
 */
export const computeMigrationFaults = (path: string, text: string): string[] => {
  const context: MigrationFacts = { created: new Set(), notNull: new Map(), validated: new Set() }
  const chunks = text.split(breakpoint).filter((chunk) => chunk.trim())
  const checked = chunks.map((chunk) => {
    const statement = readStatement(chunk)
    if (typeof statement === 'string') return { chunk, faults: [statement] }
    const faults = findStatementFaults(statement, context)
    const locksTable = statement.type === 'AlterTableStmt' && !context.created.has(tableOf(statement.node))
    learnFacts(statement, context)
    return { chunk, faults, locksTable, isData: dataStatements.has(statement.type) }
  })
  const mixed = splitMigration(chunks).filter((step) => {
    const parts = step.kind === 'together' ? checked.filter(({ chunk }) => step.statements.includes(chunk)) : []
    return parts.some(({ isData }) => isData) && parts.some(({ locksTable }) => locksTable)
  })
  const faults = [
    ...checked.flatMap(({ faults }) => faults),
    ...mixed.map(() => 'rows are read or written while a table is locked: put them into a migration of their own'),
  ]
  return faults.map((fault) => `${path}: ${fault}`)
}
