import type { AccessList, Address } from 'viem'
import { expect, test } from 'vitest'
import type { ChainClient } from '../connectChain.ts'
import { findPayoutAccess } from './findPayoutAccess.ts'

const address = (byte: number): Address => `0x${byte.toString(16).padStart(2, '0').repeat(20)}`
const settlementContract = address(1)

/** A node whose access list has a number of slots of each receiver. */
const nodeWith = (slots: number) => {
  let [running, most, calls] = [0, 0, 0]
  const request = async ({ params }: { params: unknown[] }) => {
    calls += 1
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    const { to } = params[0] as { to: Address }
    const storageKeys = Array.from({ length: slots }, (_, i) => `0x${i.toString(16).padStart(64, '0')}` as const)
    const accessList: AccessList = [{ address: to, storageKeys }]
    return { accessList, gasUsed: '0x0' }
  }
  const client = { request } as unknown as Pick<ChainClient, 'request'>
  return { client, read: () => ({ most, calls }) }
}

test.each([
  [0, 1],
  [7, 1],
  // a contract that reads much when it gets more than 2,300 gas would have solvers pay for its list
  [8, 0],
  [400, 0],
])('a receiver with %i slots has %i lists', async (slots, lists) => {
  const found = await findPayoutAccess(nodeWith(slots).client, settlementContract, [address(2)])
  expect(found.size).toBe(lists)
})

test('twenty of many receivers are checked, once each and four at a time', async () => {
  const node = nodeWith(1)
  const receivers = Array.from({ length: 50 }, (_, i) => address(i + 2))
  const found = await findPayoutAccess(node.client, settlementContract, [...receivers, ...receivers])
  expect(found.size).toBe(20)
  expect(node.read()).toEqual({ most: 4, calls: 20 })
})
