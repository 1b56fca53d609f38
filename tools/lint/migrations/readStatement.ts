import { loadModule, parseSync } from 'libpg-query'
import type { SyntaxNode } from './syntaxNode.ts'

await loadModule()

export type MigrationStatement = { text: string; type: string; node: SyntaxNode }
export const breakpoint = '--> statement-breakpoint'

/** The only statement of a text, or its fault. */
export const readStatement = (text: string): MigrationStatement | string => {
  try {
    const { stmts = [] } = parseSync(text) as { stmts?: { stmt: SyntaxNode }[] }
    const [type, node] = Object.entries(stmts[0]?.stmt ?? {})[0] ?? []
    if (stmts.length !== 1 || !type)
      return `${stmts.length} statements before a breakpoint: put \`${breakpoint}\` between them`
    return { text, type, node: node as SyntaxNode }
  } catch (error) {
    return `not SQL: ${error instanceof Error ? error.message : error}`
  }
}
