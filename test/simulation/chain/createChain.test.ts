import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { createAccess } from '../world.ts'
import { createChain } from './createChain.ts'
import { toWeiKey } from './machine.ts'

const rich: Address = `0x${'11'.repeat(20)}`
const poor: Address = `0x${'22'.repeat(20)}`

const startChain = () => {
  const chain = createChain({ contracts: new Map(), genesisTime: 1_800_000_000, blockTimeSeconds: 12, baseFee: 7n })
  chain.store.set(toWeiKey(rich), 10n ** 21n)
  chain.mine()
  const { transact } = createAccess(chain)
  /** Mines a block in which `poor` receives this much. */
  const pay = (value: bigint) => {
    transact(rich, poor, '0x' as Hex, { value })
    return chain.mine()
  }
  const readPoor = () => chain.store.get(toWeiKey(poor))
  return { chain, pay, readPoor }
}

test('states of replaced blocks can still be read, also after a deeper reorganisation', () => {
  const { chain, pay, readPoor } = startChain()
  const first = pay(1n)
  const second = pay(20n)
  const third = pay(300n)
  chain.reorganise(1, 1, () => true)
  expect([first, second, third].map((block) => chain.readAt(block, readPoor))).toEqual([1n, 21n, 321n])
  expect(chain.replacedSince(4)).toEqual([third])
  chain.reorganise(3, 2, () => true)
  expect(readPoor()).toBe(1n)
  expect([first, second, third].map((block) => chain.readAt(block, readPoor))).toEqual([1n, 21n, 321n])
  expect(chain.replacedSince(5)).not.toContain(third)
  chain.reorganise(5, 3, () => true)
  expect(readPoor()).toBe(0n)
  expect([first, second, third].map((block) => chain.readAt(block, readPoor))).toEqual([1n, 21n, 321n])
})
