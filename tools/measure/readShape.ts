import { type ESTree, parseSync, Visitor } from 'vite'
import { readExports } from '../lint/readExports.ts'
import { createLineFinder } from './createLineFinder.ts'

type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression

/** What one source looks like; every number is a count unless it says otherwise. */
export type Shape = {
  path: string
  lines: number
  commentLines: number
  commentWords: string[]
  exports: string[]
  imports: number
  topLevelFunctions: number
  /** lines of each function, nested ones too */
  functionLines: number[]
  exportedFunctions: number
  documentedFunctions: number
  anys: number
  casts: number
  nonNulls: number
  todos: number
  suppressions: number
}

const todoPattern = /\b(?:TODO|FIXME|HACK)\b/g
const suppressionPattern = /biome-ignore|eslint-disable|@ts-(?:ignore|expect-error|nocheck)/g

/** Counts what a source consists of. */
export const readShape = (path: string, text: string): Shape => {
  const { program, comments } = parseSync(path, text)
  const lineOf = createLineFinder(text)
  const linesOf = ({ start, end }: { start: number; end: number }) => lineOf(end) - lineOf(start) + 1
  const words = comments.map(({ value }) => value).join('\n')
  const shape: Shape = {
    path,
    lines: text.split('\n').length - 1,
    commentLines: new Set(
      comments.flatMap((comment) => Array.from({ length: linesOf(comment) }, (_, i) => lineOf(comment.start) + i)),
    ).size,
    commentWords: words.match(/[a-z][a-z'-]*/gi) ?? [],
    exports: readExports(path, text),
    imports: program.body.filter(({ type }) => type === 'ImportDeclaration').length,
    topLevelFunctions: 0,
    functionLines: [],
    exportedFunctions: 0,
    documentedFunctions: 0,
    anys: 0,
    casts: 0,
    nonNulls: 0,
    todos: words.match(todoPattern)?.length ?? 0,
    suppressions: words.match(suppressionPattern)?.length ?? 0,
  }
  for (const statement of program.body) {
    const isExport = statement.type === 'ExportNamedDeclaration'
    const functions = countFunctions(isExport ? statement.declaration : statement)
    shape.topLevelFunctions += functions
    if (!isExport || functions === 0) continue
    shape.exportedFunctions += functions
    const isDocumented = comments.some(
      ({ type, value, end }) =>
        type === 'Block' && value.startsWith('*') && text.slice(end, statement.start).trim() === '',
    )
    if (isDocumented) shape.documentedFunctions += functions
  }
  const measure = (node: FunctionNode) => void shape.functionLines.push(linesOf(node))
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: (node) => node.body.type === 'BlockStatement' && measure(node),
    TSAnyKeyword: () => {
      shape.anys += 1
    },
    TSAsExpression: ({ typeAnnotation }) => {
      if (!isConst(typeAnnotation)) shape.casts += 1
    },
    TSNonNullExpression: () => {
      shape.nonNulls += 1
    },
  }).visit(program)
  return shape
}

const isConst = (type: ESTree.TSType): boolean =>
  type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const'

const countFunctions = (statement: ESTree.Statement | ESTree.Declaration | null): number => {
  if (statement?.type === 'FunctionDeclaration') return 1
  if (statement?.type !== 'VariableDeclaration') return 0
  return statement.declarations.filter(
    ({ init }) => init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression',
  ).length
}
