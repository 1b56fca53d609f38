import { listSyntaxNodes, type SyntaxNode } from './syntaxNode.ts'

const plainColumnConstraints = new Set(['CONSTR_DEFAULT', 'CONSTR_NOTNULL', 'CONSTR_NULL'])

/** Faults of a column that is added to a table in service. */
export const findColumnFaults = (column: SyntaxNode): string[] => {
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
