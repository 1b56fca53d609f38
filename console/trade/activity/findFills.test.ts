import { expect, test } from 'vitest'
import { sampleOrder } from '../../testing/sampleOrder.ts'
import { findFills } from './findFills.ts'

const order = (uid: string, status: 'open' | 'fulfilled' | 'cancelled') => sampleOrder({ uid, status })

test('names orders that were open before and are filled now', () => {
  const before = [order('a', 'open'), order('b', 'open'), order('c', 'fulfilled')]
  const after = [order('a', 'fulfilled'), order('b', 'cancelled'), order('c', 'fulfilled'), order('d', 'fulfilled')]
  expect(findFills(before, after, new Set()).map(({ uid }) => uid)).toEqual(['a'])
})

test('names an order placed here that is filled when it is first listed, once', () => {
  const after = [order('a', 'fulfilled'), order('b', 'fulfilled')]
  expect(findFills([], after, new Set(['b'])).map(({ uid }) => uid)).toEqual(['b'])
  expect(findFills(after, after, new Set(['b']))).toEqual([])
})

test('names nothing when a list is shown for the first time', () => {
  expect(findFills(undefined, [order('a', 'fulfilled')], new Set(['a']))).toEqual([])
})
