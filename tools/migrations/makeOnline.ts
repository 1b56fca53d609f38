const breakpoint = '--> statement-breakpoint'
const createdTable = /^create table (?:if not exists )?"(\w+)"/i
const plainIndex = /^(create (?:unique )?index) (?!concurrently)("?\w+"?\s+on\s+"(\w+)")/i
const dropIndex = /^drop index (?!concurrently)(?:if exists )?/i
const addedConstraint = /^(alter table "(\w+)") add constraint ("\w+") (?:check|foreign key)\b/i

/**
 * Rewrites what drizzle-kit generates so that no write waits for it: indexes of existing tables are built and dropped
 * concurrently, constraints on them are added `not valid` and validated by a second statement.
 * @param text of a generated migration
 */
export const makeOnline = (text: string): string => {
  const statements = text
    .split(breakpoint)
    .map((statement) => statement.trim())
    .filter(Boolean)
  const created = new Set(statements.map((statement) => createdTable.exec(statement)?.[1]))
  return `${statements.flatMap((statement) => rewrite(statement, created)).join(`\n${breakpoint}\n`)}\n`
}

const rewrite = (statement: string, created: ReadonlySet<string | undefined>): string[] => {
  const indexed = plainIndex.exec(statement)?.[3]
  if (indexed && !created.has(indexed)) return [statement.replace(plainIndex, '$1 CONCURRENTLY $2')]
  if (dropIndex.test(statement)) return [statement.replace(dropIndex, 'DROP INDEX CONCURRENTLY IF EXISTS ')]
  const [, alter, table, constraint] = addedConstraint.exec(statement) ?? []
  if (!alter || created.has(table) || /\bnot valid\b/i.test(statement)) return [statement]
  return [`${statement.replace(/;$/, '')} NOT VALID;`, `${alter} VALIDATE CONSTRAINT ${constraint};`]
}
