import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { AuctionOrder, SolveChanges } from '#shared/solvers/driverApi.ts'
import { createAuctionMemory } from './createAuctionMemory.ts'

const orderOf = (byte: string, executed = 0n) => ({ uid: `0x${byte.repeat(56)}`, executed }) as AuctionOrder
const [a, b, c] = [orderOf('aa'), orderOf('bb'), orderOf('cc')]
const frameOf = (id: string) => ({
  ...{ id, tokens: [], surplusCapturingJitOrderOwners: [], deadline: '2026-01-01T00:00:00Z' },
})
const full = (id: string, orders: AuctionOrder[]): SolveChanges => ({ ...frameOf(id), kind: 'full', orders })
const delta = (id: string, base: string, updatedOrders: AuctionOrder[], removedOrders: Hex[] = []): SolveChanges => ({
  ...frameOf(id),
  ...{ kind: 'delta', base, updatedOrders, removedOrders },
})

test('completes changes of the newest auction', () => {
  const { complete } = createAuctionMemory()
  expect(complete(full('1', [a, b]))?.orders).toEqual([a, b])
  const filled = orderOf('bb', 5n)
  expect(complete(delta('2', '1', [filled, c], [a.uid as Hex]))).toEqual(full('2', [filled, c]))
  expect(complete(delta('3', '2', []))?.orders).toEqual([filled, c])
  expect(complete(full('4', [a]))?.orders).toEqual([a])
})

test('does not complete changes of another auction', () => {
  const { complete } = createAuctionMemory()
  expect(complete(delta('2', '1', []))).toBeUndefined()
  complete(full('1', [a]))
  complete(full('2', [b]))
  expect(complete(delta('3', '1', [c]))).toBeUndefined()
  expect(complete(delta('3', '2', [c]))?.orders).toEqual([b, c])
})
