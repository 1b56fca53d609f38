/** A node of Postgres' parse tree: https://github.com/pganalyze/libpg_query */
export type SyntaxNode = { [key: string]: unknown }

/** Name of the table of a statement. */
export const tableOf = (node: SyntaxNode): string => String((node.relation as SyntaxNode | undefined)?.relname)
/** Nodes of a list; none for another value. */
export const listSyntaxNodes = (value: unknown): SyntaxNode[] => (Array.isArray(value) ? (value as SyntaxNode[]) : [])
