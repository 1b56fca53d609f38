import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { AuctionOrder, SolveChanges } from '#shared/solvers/driverApi.ts'
import { createAuctionMemory } from './createAuctionMemory.ts'

const orderOf = (byte: string, executed = 0n) => ({ uid: `0x${byte.repeat(56)}`, executed }) as AuctionOrder
const [a, b, c] = [orderOf('aa'), orderOf('bb'), orderOf('cc')]
const requestOf = (id: string, changes: Partial<SolveChanges>): SolveChanges => ({
  ...{ id, tokens: [], orders: [], removed: [], surplusCapturingJitOrderOwners: [], deadline: '2026-01-01T00:00:00Z' },
  ...changes,
})

test('completes changes of the newest auction', () => {
  const { complete } = createAuctionMemory()
  expect(complete(requestOf('1', { orders: [a, b] }))?.orders).toEqual([a, b])
  const filled = orderOf('bb', 5n)
  const changes = requestOf('2', { base: '1', removed: [a.uid as Hex], orders: [filled, c] })
  expect(complete(changes)).toEqual({ ...requestOf('2', { orders: [filled, c] }), removed: undefined })
  expect(complete(requestOf('3', { base: '2' }))?.orders).toEqual([filled, c])
  expect(complete(requestOf('4', { orders: [a] }))?.orders).toEqual([a])
})

test('does not complete changes of another auction', () => {
  const { complete } = createAuctionMemory()
  expect(complete(requestOf('2', { base: '1' }))).toBeUndefined()
  complete(requestOf('1', { orders: [a] }))
  complete(requestOf('2', { orders: [b] }))
  expect(complete(requestOf('3', { base: '1', orders: [c] }))).toBeUndefined()
  expect(complete(requestOf('3', { base: '2', orders: [c] }))?.orders).toEqual([b, c])
})
