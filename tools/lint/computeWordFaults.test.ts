import { expect, test } from 'vitest'
import { computeWordFaults } from './computeWordFaults.ts'

test('names file, line and word of every fault', () => {
  const text = 'Nobody is told.\n\nThe cache is\tempty; an unknown key is none.'
  expect(computeWordFaults({ path: 'docs/a.md', text })).toEqual([
    'docs/a.md:1: "nobody"',
    'docs/a.md:1: "told"',
    'docs/a.md:3: "is none"',
  ])
})

test.each(['wholly', 'findTold', 'someone', 'itself', 'is nonempty', ''])('accepts %j', (text) => {
  expect(computeWordFaults({ path: 'a.ts', text })).toEqual([])
})

test.each(['by itself', 'it goes on', 'whom', 'whoever', 'somebody', 'Everybody', 'ANYBODY'])('rejects %j', (text) => {
  expect(computeWordFaults({ path: 'a.ts', text })).toHaveLength(1)
})
