import { expect, test } from 'vitest'
import { createBlockMemory } from './createBlockMemory.ts'

test('caches the facts of a block until the next one', () => {
  const memory = createBlockMemory()
  memory.recall(5n).gasPrice = 1n
  memory.recall(5n).pools.set('pair', [])
  expect(memory.recall(5n)).toEqual({ pools: new Map([['pair', []]]), gasPrice: 1n })
  expect(memory.recall(6n)).toEqual({ pools: new Map(), gasPrice: undefined })
})

test('caches nothing from a lagging node', () => {
  const memory = createBlockMemory()
  memory.recall(5n).gasPrice = 2n
  memory.recall(4n).gasPrice = 1n
  expect(memory.recall(4n).gasPrice).toBeUndefined()
  expect(memory.recall(5n).gasPrice).toBe(2n)
})

test('drops all pairs of a block when there are too many', () => {
  const memory = createBlockMemory()
  for (let i = 0; i < 1_000; i += 1) memory.recall(5n).pools.set(String(i), [])
  expect(memory.recall(5n).pools.size).toBeLessThanOrEqual(130)
})
