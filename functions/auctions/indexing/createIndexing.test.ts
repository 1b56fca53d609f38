import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { selectBlocks } from '#schema/queries/chain/blocks.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { buildIndexDeps } from '#test/helpers/database/indexDeps.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { createIndexing } from './createIndexing.ts'

const network = networks.sepolia

let chain: TestChain
let testDatabase: TestDatabase
let node: BadNode

beforeAll(async () => {
  ;[chain, testDatabase] = await Promise.all([startTestChain(), startTestDatabase()])
  node = await startBadNode(chain.rpcUrl)
})

afterEach(() => node.interfere())

afterAll(async () => {
  node?.close()
  await chain?.stop()
  await testDatabase?.close()
})

const limitRate = (seconds: number) =>
  node.interfere(() => {
    throw new NodeRefusal({ status: 429, headers: { 'Retry-After': String(seconds) } })
  })

const connect = (now: () => number) =>
  createIndexing({ ...buildIndexDeps(testDatabase.database, connectChain(node.url, network.chainId), 0), now })

test('pauses after a rate limit error, then resumes', async () => {
  let now = 1_000_000
  const indexing = connect(() => now)
  limitRate(5)
  await expect(indexing.advance()).rejects.toThrow()
  const requests = node.calls.length
  now += 4_999
  expect(await indexing.advance()).toBeUndefined()
  expect(node.calls.length).toBe(requests)
  node.interfere()
  now += 1
  const head = Number(await chain.chain.getBlockNumber())
  expect(await indexing.advance()).toMatchObject({ head: { number: head }, caughtUp: true })
  expect((await selectBlocks(testDatabase.database, network.chainId)).at(-1)?.number).toBe(head)
})

test('pauses no longer when the system time jumps an hour back, and does not stop when it jumps ahead', async () => {
  let now = 10_000_000
  const indexing = connect(() => now)
  for (const jump of [-3_600_000, 3_600_000, -3_600_000]) {
    limitRate(30)
    await expect(indexing.advance()).rejects.toThrow()
    now += 29_999
    expect(await indexing.advance()).toBeUndefined()
    node.interfere()
    now += jump - 29_999
    expect(await indexing.advance()).toMatchObject({ caughtUp: true })
  }
})
