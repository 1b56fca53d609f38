import { type ESTree, parseSync, Visitor } from 'vite'
import { findSqlMutations } from './findSqlMutations.ts'
import type { Mutation } from './mutation.ts'

type Span = { start: number; end: number }

const comparisons: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const arithmetic: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '**': '*' }
const assignments: Record<string, string> = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=' }
/** Calls that return the type of their receiver. */
const removableCalls = new Set(['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toLowerCase', 'toUpperCase', 'trim'])
const swappedCalls: Record<string, string> = { min: 'max', max: 'min', some: 'every', every: 'some' }
/** Properties with text for people. */
const describing = new Set(['description', 'summary', 'title', 'example', 'examples'])

/** All small changes of one source, in source order; types and imports stay. */
export const findMutations = (path: string, source: string): Mutation[] => {
  const { program, errors } = parseSync(path, source)
  if (errors[0]) throw new Error(`${path} is not parsed: ${errors[0].message}`)
  const found: Omit<Mutation, 'path' | 'line'>[] = []
  const skipped: Span[] = []
  const textOf = ({ start, end }: Span) => source.slice(start, end)
  const skip = (span: Span) => void skipped.push({ start: span.start, end: span.end })
  const replace = (operator: string, { start, end }: Span, replacement: string) =>
    void found.push({ start, end, replacement, operator })
  /** the operator between two operands; the same characters in a comment there are no change */
  const replaceBetween = (name: string, left: Span, right: Span, from: string, to: string) => {
    const start = source.indexOf(from, left.end)
    if (start >= 0 && start < right.start) replace(name, { start, end: start + from.length }, to)
  }
  const negate = (operator: string, test: Span) => replace(operator, test, `!(${textOf(test)})`)

  const visitFunction = ({ body }: { body: ESTree.FunctionBody | ESTree.Expression | null }) => {
    if (body?.type !== 'BlockStatement' || body.body.length < 2) return
    replace('early return', { start: body.start, end: body.start + 1 }, '{ if (true) return undefined as never;')
  }

  new Visitor({
    ImportDeclaration: skip,
    ExportAllDeclaration: skip,
    TSTypeAnnotation: skip,
    TSTypeAliasDeclaration: skip,
    TSInterfaceDeclaration: skip,
    TSTypeParameterInstantiation: skip,
    TSTypeParameterDeclaration: skip,
    TSAsExpression: ({ typeAnnotation }) => skip(typeAnnotation),
    TSSatisfiesExpression: ({ typeAnnotation }) => skip(typeAnnotation),
    Property: ({ key, computed, value }) => {
      if (!computed) skip(key)
      if (key.type === 'Identifier' && describing.has(key.name)) skip(value)
    },
    BinaryExpression: ({ left, right, operator }) => {
      const compared = comparisons[operator]
      if (compared) return replaceBetween('comparison', left, right, operator, compared)
      const calculated = arithmetic[operator]
      const isText = [left, right].some((operand) => isTextual(operand))
      if (calculated && !isText) replaceBetween('arithmetic', left, right, operator, calculated)
    },
    LogicalExpression: ({ start, end, left, right, operator }) => {
      if (operator === '??') return replace('fallback', { start, end }, textOf(right))
      replaceBetween('logic', left, right, operator, operator === '&&' ? '||' : '&&')
      replace('condition', { start, end }, textOf(left))
      replace('condition', { start, end }, textOf(right))
    },
    UnaryExpression: ({ operator, argument, start, end }) => {
      if (operator === '!') replace('negation', { start, end }, textOf(argument))
      if (operator === '-' && argument.type !== 'Literal') replace('negation', { start, end }, textOf(argument))
    },
    UpdateExpression: ({ operator, prefix, argument, start, end }) => {
      const other = operator === '++' ? '--' : '++'
      replace('arithmetic', { start, end }, prefix ? other + textOf(argument) : textOf(argument) + other)
    },
    AssignmentExpression: ({ left, right, operator }) => {
      const other = assignments[operator]
      if (other) replaceBetween('arithmetic', left, right, operator, other)
    },
    ConditionalExpression: ({ test }) => negate('condition', test),
    IfStatement: ({ test }) => {
      negate('condition', test)
      replace('condition', test, 'false as boolean')
    },
    WhileStatement: ({ test }) => negate('condition', test),
    ExpressionStatement: (node) => {
      if (!node.directive) replace('statement', node, ';')
    },
    BreakStatement: (node) => replace('statement', node, ';'),
    ContinueStatement: (node) => replace('statement', node, ';'),
    ThrowStatement: (node) => replace('statement', node, ';'),
    FunctionDeclaration: visitFunction,
    FunctionExpression: visitFunction,
    ArrowFunctionExpression: visitFunction,
    CallExpression: (node) => visitCall(node, replace, textOf),
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return
      for (const { start, end } of quasi.quasis) {
        for (const mutation of findSqlMutations(source.slice(start, end))) {
          found.push({ ...mutation, start: start + mutation.start, end: start + mutation.end })
        }
      }
    },
    ArrayExpression: (node) => {
      if (node.elements.length > 0) replace('empty', node, '[]')
    },
    Literal: (node) => visitLiteral(node, replace),
  }).visit(program)

  return found
    .filter(({ start, end }) => !skipped.some((span) => span.start <= start && end <= span.end))
    .map((mutation) => ({ path, line: source.slice(0, mutation.start).split('\n').length, ...mutation }))
    .sort((a, b) => a.start - b.start || a.end - b.end)
}

type Replace = (operator: string, span: Span, replacement: string) => void

const isTextual = (node: { type: string; value?: unknown }): boolean =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')

const visitCall = (node: ESTree.CallExpression, replace: Replace, textOf: (span: Span) => string): void => {
  const { callee, arguments: members, start, end } = node
  if (callee.type === 'Identifier' && (callee.name === 'and' || callee.name === 'or') && members.length > 1) {
    for (const member of members) {
      const others = members.filter((other) => other !== member)
      replace('condition', { start, end }, `${callee.name}(${others.map(textOf).join(', ')})`)
    }
  }
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
  const { name } = callee.property
  const swapped = swappedCalls[name]
  if (swapped) replace('call', callee.property, swapped)
  if (removableCalls.has(name)) replace('call', { start: callee.object.end, end }, '')
}

/** A text with a space is for people. */
const visitLiteral = (node: { value?: unknown; bigint?: string } & Span, replace: Replace): void => {
  const { value } = node
  if (typeof value === 'number') {
    replace('number', node, String(value + 1))
    if (value !== 0) replace('number', node, String(value - 1))
  } else if (typeof value === 'bigint') {
    replace('number', node, `${value + 1n}n`)
    if (value !== 0n) replace('number', node, `${value - 1n}n`)
  } else if (typeof value === 'boolean') {
    replace('boolean', node, String(!value))
  } else if (typeof value === 'string' && value !== '' && !value.includes(' ')) {
    replace('empty', node, "''")
  }
}
