import { loadModule, parseSync } from 'libpg-query'

await loadModule()

/** A node of Postgres' parse tree: https://github.com/pganalyze/libpg_query */
type Node = { [key: string]: unknown }

/**
 * Tables of a statement whose rows are not bound to one network: at their level of the query, no condition equates their
 * `chain_id` with a parameter, a constant, an outer query or a table that is bound. Each part of an `or` must bind it.
 * @param tables names of the tables with the column `chain_id`
 * @returns `alias of table` or the name of the table, in the order of the statement
 */
export const findUnboundTables = (statement: string, tables: ReadonlySet<string>): string[] => {
  const unbound: string[] = []
  visit(parseSync(statement), (type, node) => {
    if (type === 'SelectStmt' || type === 'UpdateStmt' || type === 'DeleteStmt')
      unbound.push(...checkLevel(node, tables))
  })
  return unbound
}

const visit = (value: unknown, see: (type: string, node: Node) => void): void => {
  if (Array.isArray(value)) for (const member of value) visit(member, see)
  else if (isNode(value))
    for (const [key, member] of Object.entries(value)) {
      // the parts of a union are selects without the name of their type
      const type = isNode(member) && 'limitOption' in member ? 'SelectStmt' : key
      if (isNode(member)) see(type, member)
      visit(member, see)
    }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const listNodes = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []

type Relation = { alias: string; table: string }

const checkLevel = (level: Node, tables: ReadonlySet<string>): string[] => {
  const items = [
    ...(isNode(level.relation) ? [{ RangeVar: level.relation }] : []),
    ...listNodes(level.fromClause),
    ...listNodes(level.usingClause),
  ]
  const relations = items.flatMap((item) => listRelations(item)).filter(({ table }) => tables.has(table))
  const conditions = [...listNodes(level.whereClause), ...items.flatMap((item) => listJoinConditions(item))]
  const bound = findBound(relations, conditions)
  return relations
    .filter(({ alias }) => !bound.has(alias))
    .map(({ alias, table }) => (alias === table ? table : `${alias} of ${table}`))
}

const listRelations = ({ RangeVar, JoinExpr }: Node): Relation[] => {
  if (isNode(RangeVar)) {
    const table = String(RangeVar.relname)
    return [{ table, alias: isNode(RangeVar.alias) ? String(RangeVar.alias.aliasname) : table }]
  }
  return isNode(JoinExpr) ? [JoinExpr.larg, JoinExpr.rarg].filter(isNode).flatMap(listRelations) : []
}

/** Conditions of the joins; `using (chain_id)` as the equality that it stands for. */
const listJoinConditions = ({ JoinExpr }: Node): Node[] => {
  if (!isNode(JoinExpr)) return []
  const sides = [JoinExpr.larg, JoinExpr.rarg].filter(isNode)
  const uses = listNodes(JoinExpr.usingClause).some(({ String: name }) => isNode(name) && name.sval === 'chain_id')
  const [left, right] = sides.map((side) => listRelations(side)[0]?.alias)
  const used = uses ? [{ A_Expr: { name: equals, lexpr: toColumn(left), rexpr: toColumn(right) } }] : []
  return [...listNodes(JoinExpr.quals), ...used, ...sides.flatMap(listJoinConditions)]
}

const equals = [{ String: { sval: '=' } }]
const toColumn = (alias: string | undefined): Node => ({
  ColumnRef: { fields: [...(alias ? [{ String: { sval: alias } }] : []), { String: { sval: 'chain_id' } }] },
})

/** Aliases that the conditions bind, besides those that are bound already. */
const findBound = (
  relations: readonly Relation[],
  conditions: readonly Node[],
  known: ReadonlySet<string> = new Set(),
): Set<string> => {
  const bound = new Set(known)
  const required = conditions.flatMap(listRequired)
  for (let before = -1; before < bound.size; ) {
    before = bound.size
    for (const [left, right] of required.flatMap(listEqualities)) {
      const [one, other] = [readChainColumn(left, relations), readChainColumn(right, relations)]
      if (one !== undefined && (other === undefined || bound.has(other))) bound.add(one)
      if (other !== undefined && (one === undefined || bound.has(one))) bound.add(other)
    }
    for (const parts of required.flatMap(listAlternatives)) {
      const boundByPart = parts.map((part) => findBound(relations, [part], bound))
      for (const { alias } of relations) if (boundByPart.every((part) => part.has(alias))) bound.add(alias)
    }
  }
  return bound
}

/** The conditions that an `and` joins. */
const listRequired = (condition: Node): Node[] =>
  isNode(condition.BoolExpr) && condition.BoolExpr.boolop === 'AND_EXPR'
    ? listNodes(condition.BoolExpr.args).flatMap(listRequired)
    : [condition]

/** The parts of an `or`. */
const listAlternatives = ({ BoolExpr }: Node): Node[][] =>
  isNode(BoolExpr) && BoolExpr.boolop === 'OR_EXPR' ? [listNodes(BoolExpr.args)] : []

/** Both sides of an `=`, `in` or `= any`; those of rows by their members. */
const listEqualities = ({ A_Expr }: Node): [Node, Node][] => {
  if (!isNode(A_Expr) || JSON.stringify(A_Expr.name) !== JSON.stringify(equals)) return []
  const { lexpr, rexpr } = A_Expr
  if (!isNode(lexpr)) return []
  if (!isNode(rexpr)) return [[lexpr, {}]]
  if (!isNode(lexpr.RowExpr) || !isNode(rexpr.RowExpr)) return [[lexpr, rexpr]]
  const members = listNodes(rexpr.RowExpr.args)
  return listNodes(lexpr.RowExpr.args).flatMap((member, i): [Node, Node][] =>
    members[i] ? [[member, members[i]]] : [],
  )
}

/** The relation of this level whose `chain_id` a term is; undefined for any other term. */
const readChainColumn = ({ ColumnRef }: Node, relations: readonly Relation[]): string | undefined => {
  if (!isNode(ColumnRef)) return undefined
  const names = listNodes(ColumnRef.fields).map(({ String: name }) => (isNode(name) ? String(name.sval) : ''))
  if (names.at(-1) !== 'chain_id') return undefined
  const alias = names.at(-2)
  if (alias === undefined) return relations[0]?.alias
  return relations.some((relation) => relation.alias === alias) ? alias : undefined
}
