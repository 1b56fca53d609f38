import { expect, test } from 'vitest'
import { shuffle } from './shuffle.ts'

test('is a permutation that the random numbers decide, and leaves its argument alone', () => {
  const items = ['a', 'b', 'c']
  expect(shuffle(items, () => 0)).toEqual(['a', 'b', 'c'])
  expect(shuffle(items, () => 0.999)).toEqual(['c', 'b', 'a'])
  expect(items).toEqual(['a', 'b', 'c'])
  const seen = new Set(Array.from({ length: 500 }, () => shuffle(items).join('')))
  expect([...seen].sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba'])
})
