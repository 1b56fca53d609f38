import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { computeBarredOrders } from './computeBarredOrders.ts'

const solver: Address = `0x${'0a'.repeat(20)}`
const rival: Address = `0x${'0b'.repeat(20)}`
const order: Hex = `0x${'11'.repeat(56)}`
const isBarred = (failures: number, block: number, by = solver) =>
  computeBarredOrders([{ orderUid: order, solver: by, failures, lastBlock: 100 }], {
    solver,
    block,
    deadlineBlocks: 4,
  }).has(order)

test.each([
  [1, 169],
  [2, 238],
  [3, 376],
  [11, 100 + 69 * 1_024],
  [60, 100 + 69 * 1_024],
])('after %i failures the solver is barred until block %i', (failures, end) => {
  expect(isBarred(failures, 100)).toBe(true)
  expect(isBarred(failures, end - 1)).toBe(true)
  expect(isBarred(failures, end)).toBe(false)
})

test('the failure of another solver bars only that one', () => {
  expect(isBarred(1, 101, rival)).toBe(false)
})
