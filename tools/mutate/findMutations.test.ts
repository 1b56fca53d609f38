import { expect, test } from 'vitest'
import { applyMutation } from './applyMutation.ts'
import { findMutations } from './findMutations.ts'

/** Every changed source with the operator that made it. */
const mutate = (source: string): string[] =>
  findMutations('a.ts', source).map((mutation) => `${mutation.operator}: ${applyMutation(source, mutation)}`)

test.each<[source: string, mutants: string[]]>([
  ['x(a < b)', ['statement: ;', 'comparison: x(a <= b)']],
  ['x(a >= b)', ['statement: ;', 'comparison: x(a > b)']],
  ['x(a === b)', ['statement: ;', 'comparison: x(a !== b)']],
  ['x(a * b)', ['statement: ;', 'arithmetic: x(a / b)']],
  ["x('a b' + c)", ['statement: ;']],
  ['a += b', ['statement: ;', 'arithmetic: a -= b']],
  ['a ?? b', ['statement: ;', 'fallback: b']],
  ['a && b', ['statement: ;', 'condition: a', 'condition: b', 'logic: a || b']],
  ['x(!a)', ['statement: ;', 'negation: x(a)']],
  ['x(7)', ['statement: ;', 'number: x(8)', 'number: x(6)']],
  ['x(0n)', ['statement: ;', 'number: x(1n)']],
  ['x(true)', ['statement: ;', 'boolean: x(false)']],
  ["x('a')", ['statement: ;', "empty: x('')"]],
  ["x('a text for people')", ['statement: ;']],
  ['x([a])', ['statement: ;', 'empty: x([])']],
  ['Math.min(a, b)', ['statement: ;', 'call: Math.max(a, b)']],
  ['a.filter(b)', ['statement: ;', 'call: a']],
  ['and(a, b, c)', ['statement: ;', 'condition: and(b, c)', 'condition: and(a, c)', 'condition: and(a, b)']],
  [
    'if (a) throw b',
    ['condition: if (!(a)) throw b', 'condition: if (false as boolean) throw b', 'statement: if (a) ;'],
  ],
  ['x(a ? b : c)', ['statement: ;', 'condition: x(!(a) ? b : c)']],
])('changes %s at each place of it', (source, mutants) => {
  expect(mutate(source).toSorted()).toEqual(mutants.toSorted())
})

test('returns at once from a function of several statements', () => {
  expect(mutate('function f() { const a = b; return a }')).toEqual([
    'early return: function f() { if (true) return undefined as never; const a = b; return a }',
  ])
})

test.each([
  ['a module is imported', "import { a } from 'b'"],
  ['types are declared', "type A = 'a' | 7; const a: 'b' = c as 'd'"],
  ['a key is named', "const a = { 'b': c, 7: d }"],
  ['a text is for people', "const a = { description: 'b', example: 7 }"],
  ['an operator is part of a comment', 'const a = b /* < */ instanceof C'],
])('changes nothing where %s', (_, source) => {
  expect(mutate(source)).toEqual([])
})

test('finds the place in a source that is not ASCII', () => {
  const source = '// 10¹⁸ 🦄\nx(1)'
  const [mutation] = findMutations('a.ts', source).filter(({ operator }) => operator === 'number')
  expect(mutation).toMatchObject({ path: 'a.ts', line: 2, replacement: '2' })
  expect(mutation && applyMutation(source, mutation)).toBe('// 10¹⁸ 🦄\nx(2)')
})

test('changes the SQL of a template and the values in it', () => {
  const source = ['const a = sql`select b from c where d = $', '{7} and e is null limit 5`'].join('')
  expect(
    mutate(source)
      .map((text) => text.slice(0, text.indexOf(':')))
      .toSorted(),
  ).toEqual(['comparison', 'condition', 'logic', 'number', 'number', 'number'].toSorted())
})

test('rejects a source with a syntax error', () => {
  expect(() => findMutations('a.ts', 'const')).toThrow('a.ts is not parsed')
})
