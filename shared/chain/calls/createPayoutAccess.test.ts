import type { AccessList, Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import type { ChainClient } from '../connectChain.ts'
import { createPayoutAccess } from './createPayoutAccess.ts'

const address = (byte: number): Address => `0x${byte.toString(16).padStart(2, '0').repeat(20)}`
const settlementContract = address(1)

/** The response of a node to a request for an access list. */
const accessOf = (to: Address, slots = 1): { accessList: AccessList; gasUsed: Hex } => {
  const storageKeys = Array.from({ length: slots }, (_, i): Hex => `0x${i.toString(16).padStart(64, '0')}`)
  return { accessList: [{ address: to, storageKeys }], gasUsed: '0x0' }
}

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
    return accessOf(to, slots)
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
  const found = await createPayoutAccess(nodeWith(slots).client, settlementContract)([address(2)])
  expect(found.size).toBe(lists)
})

test('a call checks twenty of many receivers, once each and four at a time', async () => {
  const node = nodeWith(1)
  const receivers = Array.from({ length: 50 }, (_, i) => address(i + 2))
  const find = createPayoutAccess(node.client, settlementContract)
  const found = await find([...receivers, ...receivers])
  expect(found.size).toBe(20)
  expect(node.read()).toEqual({ most: 4, calls: 20 })
})

test('receivers of other settlements take no place, and no receiver is requested twice', async () => {
  const node = nodeWith(1)
  const find = createPayoutAccess(node.client, settlementContract)
  await find(Array.from({ length: 50 }, (_, i) => address(i + 2)))
  const last = address(51)
  expect([...(await find([last])).keys()]).toEqual([last])
  expect([...(await find([address(2), last])).keys()]).toEqual([address(2), last])
  expect(node.read().calls).toBe(21)
})

test('a receiver is requested again after a failure of the node', async () => {
  let isDown = true
  const request = () => (isDown ? Promise.reject(new Error('the node is down')) : Promise.resolve(accessOf(address(2))))
  const find = createPayoutAccess({ request } as never, settlementContract)
  await expect(find([address(2)])).rejects.toThrow('down')
  isDown = false
  expect((await find([address(2)])).size).toBe(1)
})
