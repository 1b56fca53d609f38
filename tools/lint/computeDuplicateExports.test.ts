import { expect, test } from 'vitest'
import { computeDuplicateExports } from './computeDuplicateExports.ts'

test('names an export of several files', () => {
  const files = [
    { path: 'a.ts', text: 'export const price = 1\nexport type Order = { price: number }' },
    { path: 'b.ts', text: 'export function price() {}\nconst local = 1' },
    { path: 'c.tsx', text: 'export type Order = string\nexport const { local, other } = { local: 1, other: 2 }' },
  ]
  expect(computeDuplicateExports(files)).toEqual([
    'Order is exported by a.ts, c.tsx; give each export a name of its own',
    'price is exported by a.ts, b.ts; give each export a name of its own',
  ])
})

test('accepts overloads, re-exports and the names of settings files', () => {
  const files = [
    {
      path: 'a.ts',
      text: 'export function find(x: 1): 1\nexport function find(x: 2): 2\nexport function find(x: never) {}',
    },
    { path: 'b.ts', text: "export { find } from './a.ts'\nexport type Settings = 1" },
    { path: 'c.ts', text: 'export type Settings = 2' },
  ]
  expect(computeDuplicateExports(files)).toEqual([])
})
