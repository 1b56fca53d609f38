import { type Hex, numberToHex, toEventSelector } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { buildIndexDeps } from '#test/helpers/database/indexDeps.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type BadNode, type Interference, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { computeBloom, covers } from './chain/bloom.ts'
import { settlementEvents } from './findTransactions.ts'
import { createIndexState, indexChain } from './indexChain.ts'

let chain: TestChain
let testDatabase: TestDatabase
let node: BadNode
let state = createIndexState()

beforeAll(async () => {
  ;[chain, testDatabase] = await Promise.all([startTestChain(), startTestDatabase()])
  node = await startBadNode(chain.rpcUrl)
})
afterAll(async () => {
  node?.close()
  await chain?.stop()
  await testDatabase?.close()
})
beforeEach(async () => {
  state = createIndexState()
  node.interfere()
  await index()
})

const index = () =>
  indexChain(buildIndexDeps(testDatabase.database, connectChain(node.url, networks.sepolia.chainId), 0), state)

const toBloomText = (bloom: bigint) => numberToHex(bloom, { size: 256 })
const [event] = settlementEvents
const ours = { address: networks.sepolia.settlementContract, topics: event ? [toEventSelector(event)] : [] }

/** Receipts of foreign logs whose filters together have all bits of a log of the settlement contract. */
const foreign: { logs: (typeof ours)[]; logsBloom: Hex }[] = []
let filter = 0n
for (let i = 1n; !covers(filter, computeBloom([ours])); i++) {
  const log = { address: numberToHex(i, { size: 20 }), topics: [] }
  const bloom = computeBloom([log])
  if ((computeBloom([ours]) & bloom & ~filter) === 0n) continue
  filter |= bloom
  foreign.push({ logs: [log], logsBloom: toBloomText(bloom) })
}

/** Blocks whose bloom filters may have any log. */
const full: Interference = async (call, forward) => {
  const result = await forward()
  if (call.method === 'eth_getBlockReceipts') return [...(result as object[]), ...foreign]
  if (call.method !== 'eth_getBlockByNumber') return result
  return { ...(result as object), logsBloom: toBloomText(filter) }
}

/** Methods that a call of `indexChain` requests, with their numbers. */
const countCalls = async (newBlocks: number, interference?: Interference) => {
  if (newBlocks > 0) await chain.chain.mine({ blocks: newBlocks })
  node.interfere(interference)
  const { blocks } = await index()
  expect(blocks).toBe(newBlocks)
  const calls = new Map<string, number>()
  for (const { method } of node.calls) calls.set(method, (calls.get(method) ?? 0) + 1)
  return Object.fromEntries(calls)
}

test('an idle tick reads the head', async () => {
  expect(await countCalls(0)).toEqual({ eth_getBlockByNumber: 1 })
})

test.each([
  [1, { eth_getBlockByNumber: 2, eth_getLogs: 1 }],
  [4, { eth_getBlockByNumber: 5, eth_getLogs: 1 }],
])('%d new blocks without logs take one log query', async (blocks, calls) => {
  expect(await countCalls(blocks)).toEqual(calls)
})

test.each([
  [1, { eth_getBlockByNumber: 2, eth_getLogs: 1, eth_getBlockReceipts: 1 }],
  [4, { eth_getBlockByNumber: 5, eth_getLogs: 1, eth_getBlockReceipts: 4 }],
])('%d full blocks are confirmed by their receipts', async (blocks, calls) => {
  expect(await countCalls(blocks, full)).toEqual(calls)
})

const refusals: [string, NodeRefusal['answer']][] = [
  ['an unknown method', { error: { code: -32_601, message: 'the method does not exist' } }],
  ['another plan', { error: { code: -32_600, message: 'eth_getBlockReceipts is not available on your plan' } }],
  ['a free tier', { error: { code: 35, message: 'method is not available on freetier' } }],
  ['a forbidden method', { status: 403 }],
  ['an internal error', { error: { code: -32_603, message: 'internal error' } }],
]

test.each(refusals)(
  'a node that refuses receipts with %s receives requests for the logs by hash',
  async (_, refusal) => {
    const withoutReceipts: Interference = (call, forward) => {
      if (call.method === 'eth_getBlockReceipts') throw new NodeRefusal(refusal)
      return full(call, forward)
    }
    expect(await countCalls(4, withoutReceipts)).toMatchObject({ eth_getLogs: 5 })
    // the refusal is remembered: no longer requested
    for (let i = 0; i < 2; i++) await countCalls(1, withoutReceipts)
    expect(await countCalls(4, withoutReceipts)).toEqual({ eth_getBlockByNumber: 5, eth_getLogs: 5 })
  },
)
