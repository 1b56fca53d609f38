import { expect, test } from 'vitest'
import { createBlockMemory } from './createBlockMemory.ts'

const five = { number: 5n, hash: '0x05' } as const

test('drops the facts of a block that a reorganisation has replaced', () => {
  const memory = createBlockMemory()
  memory.recall(five).gasPrice = 1n
  expect(memory.recall({ number: 5n, hash: '0x55' }).gasPrice).toBeUndefined()
})

test('caches nothing from a lagging node', () => {
  const memory = createBlockMemory()
  memory.recall(five).gasPrice = 2n
  memory.recall({ number: 4n, hash: '0x04' }).gasPrice = 1n
  expect(memory.recall({ number: 4n, hash: '0x04' }).gasPrice).toBeUndefined()
  expect(memory.recall(five).gasPrice).toBe(2n)
})

test('drops all pairs of a block when there are too many', () => {
  const memory = createBlockMemory()
  for (let i = 0; i < 1_000; i += 1) memory.recall(five).pools.set(String(i), [])
  expect(memory.recall(five).pools.size).toBeLessThanOrEqual(130)
})
