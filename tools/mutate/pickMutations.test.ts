import { expect, test } from 'vitest'
import { createRandom } from '#tools/stack/createRandom.ts'
import { pickMutations } from './pickMutations.ts'

const members = Array.from({ length: 50 }, (_, i) => i)

test('picks no member twice and the same sample for the same seed', () => {
  const sample = pickMutations(members, 20, createRandom(1))
  expect(new Set(sample).size).toBe(20)
  expect(pickMutations(members, 20, createRandom(1))).toEqual(sample)
  expect(pickMutations(members, 20, createRandom(2))).not.toEqual(sample)
})

test('picks every member when the sample is larger', () => {
  expect(pickMutations(members, 99, createRandom(1)).toSorted((a, b) => a - b)).toEqual(members)
})
