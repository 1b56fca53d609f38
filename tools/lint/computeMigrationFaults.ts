import { loadModule, parseSync } from 'libpg-query'
import { splitMigration } from '../migrations/splitMigration.ts'

await loadModule()

/** A node of Postgres' parse tree: https://github.com/pganalyze/libpg_query */
type Node = { [key: string]: unknown }
type Statement = { text: string; type: string; node: Node }
/** Facts of the migration before a statement. */
type Context = { created: Set<string>; notNull: Map<string, string>; validated: Set<string> }

/** The newest migration from before these rules, which no deployment has. */
const lastUnchecked = '0012'
const breakpoint = '--> statement-breakpoint'
/** A person has checked that no Worker in service needs what is removed, or that few rows are written. */
const marker = /^\s*-- reviewed: \S.*$/m

const dataStatements = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'SelectStmt'])
const additions = new Set(['CreateStmt', 'CreateEnumStmt', 'CreateFunctionStmt', 'CreateSeqStmt', 'ViewStmt'])
/** Commands on an existing table that only change its catalog. */
const catalogCommands = new Set([
  'AT_ColumnDefault',
  'AT_DropNotNull',
  'AT_DropConstraint',
  'AT_SetStatistics',
  'AT_SetRelOptions',
])
const plainColumnConstraints = new Set(['CONSTR_DEFAULT', 'CONSTR_NOTNULL', 'CONSTR_NULL'])

/**
 * Statements of a migration that stop reads or writes of a large table, or remove what Workers in service use.
 * @param path of a file in `schema/migrations`
 * @returns one line for each, with what to write instead
 */
export const computeMigrationFaults = (path: string, text: string): string[] => {
  const file = path.split('/').at(-1) ?? path
  if (file.slice(0, lastUnchecked.length) <= lastUnchecked) return []
  const context: Context = { created: new Set(), notNull: new Map(), validated: new Set() }
  const chunks = text.split(breakpoint).filter((chunk) => chunk.trim())
  const checked = chunks.map((chunk) => {
    const statement = parse(chunk)
    if (typeof statement === 'string') return { chunk, faults: [statement] }
    const faults = findFaults(statement, context)
    const locksTable = statement.type === 'AlterTableStmt' && !context.created.has(tableOf(statement.node))
    learn(statement, context)
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

const parse = (text: string): Statement | string => {
  try {
    const { stmts = [] } = parseSync(text) as { stmts?: { stmt: Node }[] }
    const [type, node] = Object.entries(stmts[0]?.stmt ?? {})[0] ?? []
    if (stmts.length !== 1 || !type)
      return `${stmts.length} statements before a breakpoint: put \`${breakpoint}\` between them`
    return { text, type, node: node as Node }
  } catch (error) {
    return `not SQL: ${error instanceof Error ? error.message : error}`
  }
}

const findFaults = ({ text, type, node }: Statement, context: Context): string[] => {
  const isReviewed = marker.test(text)
  const unlessReviewed = (fault: string) => (isReviewed ? [] : [`${fault}; if so, say why: \`-- reviewed: …\``])
  if (additions.has(type) || type === 'SelectStmt') return []
  if (type === 'IndexStmt') return findIndexFaults(node, context)
  if (type === 'AlterTableStmt')
    return context.created.has(tableOf(node))
      ? []
      : listNodes(node.cmds).flatMap((command) => findCommandFaults(command, node, context, unlessReviewed))
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

const findIndexFaults = (node: Node, { created }: Context): string[] => {
  if (created.has(tableOf(node))) return []
  if (!node.concurrent) return [`create index on ${tableOf(node)} locks it: create index concurrently`]
  return node.idxname ? [] : ['an index needs a name, so that an aborted build can be repeated']
}

const findCommandFaults = (
  { AlterTableCmd }: Node,
  table: Node,
  context: Context,
  unlessReviewed: (fault: string) => string[],
): string[] => {
  const command = AlterTableCmd as Node
  const { subtype, name } = command
  const definition = command.def as Node | undefined
  if (catalogCommands.has(String(subtype))) return []
  if (subtype === 'AT_AddColumn') return findColumnFaults(definition?.ColumnDef as Node)
  if (subtype === 'AT_AddConstraint') return findConstraintFaults(definition?.Constraint as Node)
  if (subtype === 'AT_ValidateConstraint')
    return listNodes(table.cmds).length === 1 ? [] : ['validate constraint must be a statement of its own']
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

const findColumnFaults = (column: Node): string[] => {
  const constraints = listNodes(column.constraints).map(({ Constraint }) => Constraint as Node)
  const fallback = constraints.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr
  const label = `column ${column.colname}`
  const typeNames = JSON.stringify(column.typeName)
  return [
    ...(fallback !== undefined && !isEvaluatedOnce(fallback as Node)
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
const isEvaluatedOnce = ({ A_Const, TypeCast, SQLValueFunction, FuncCall }: Node): boolean => {
  if (A_Const || SQLValueFunction) return true
  if (TypeCast) return isEvaluatedOnce((TypeCast as Node).arg as Node)
  return JSON.stringify((FuncCall as Node | undefined)?.funcname) === '[{"String":{"sval":"now"}}]'
}

const findConstraintFaults = ({ contype, skip_validation: skipped, indexname, conname }: Node): string[] => {
  if (contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN')
    return skipped ? [] : [`constraint ${conname} reads the table: add it \`not valid\`, then \`validate constraint\``]
  if (contype === 'CONSTR_UNIQUE' && indexname) return []
  return [`constraint ${conname} builds an index: create a unique index concurrently`]
}

const learn = ({ type, node }: Statement, { created, notNull, validated }: Context): void => {
  if (type === 'CreateStmt') created.add(tableOf(node))
  if (type !== 'AlterTableStmt') return
  for (const { AlterTableCmd } of listNodes(node.cmds)) {
    const { subtype, name, def } = AlterTableCmd as Node
    if (subtype === 'AT_ValidateConstraint') validated.add(`${tableOf(node)}.${name}`)
    const constraint = (def as Node | undefined)?.Constraint as Node | undefined
    const test = (constraint?.raw_expr as Node | undefined)?.NullTest as Node | undefined
    if (subtype !== 'AT_AddConstraint' || test?.nulltesttype !== 'IS_NOT_NULL') continue
    const fields = ((test.arg as Node).ColumnRef as Node | undefined)?.fields
    const column = (listNodes(fields).at(-1)?.String as Node | undefined)?.sval
    notNull.set(`${tableOf(node)}.${column}`, `${tableOf(node)}.${constraint?.conname}`)
  }
}

const tableOf = (node: Node): string => String((node.relation as Node | undefined)?.relname)
const listNodes = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : [])
