import { expect, test } from 'vitest'
import { findSqlMutations } from './findSqlMutations.ts'

const mutate = (text: string): string[] =>
  findSqlMutations(text).map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end))

test.each<[text: string, mutants: string[]]>([
  ['a >= b', ['a > b']],
  ['a < b', ['a <= b']],
  ['a.chain_id = b.chain_id', ['a.chain_id <> b.chain_id']],
  ['where a and b.c = d.e', ['where a and b.c <> d.e', 'where a or b.c = d.e', 'where a ']],
  ['a is null', ['a is not null']],
  ['not exists (select 1)', ['exists (select 1)', 'not exists (select 2)']],
  ['order by a desc', ['order by a asc']],
  ['left join a', ['join a']],
  ['returning a on conflict do nothing', ['returning a ']],
  ["interval '1 hour'", []],
])('changes %s', (text, mutants) => {
  expect(mutate(text).toSorted()).toEqual(mutants.toSorted())
})
