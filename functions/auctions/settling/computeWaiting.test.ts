import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { computeWaiting } from './computeWaiting.ts'

const [a, b] = (['aa', 'bb'] as const).map((byte): Hex => `0x${byte.repeat(56)}`) as [Hex, Hex]
const auction = (block: number, uids = [a, b]) => ({ block, orders: new Map(uids.map((uid) => [uid, {}])) })

test('an order waits from its first auction on, until it leaves the auctions', () => {
  const first = computeWaiting(new Map(), auction(5, [a]))
  const second = computeWaiting(first, auction(7))
  expect([...second]).toEqual([
    [a, 5],
    [b, 7],
  ])
  const third = computeWaiting(second, auction(8, [b]))
  expect([...third]).toEqual([[b, 7]])
  expect(computeWaiting(third, auction(9)).get(a)).toBe(9)
})

test('a reorganisation moves the block back', () => {
  expect([...computeWaiting(new Map([[a, 5]]), auction(3, [a]))]).toEqual([[a, 3]])
})
