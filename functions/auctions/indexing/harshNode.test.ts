import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertOrder, type NewOrder } from '#schema/queries/orders/orders.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { dumpChainFacts } from '#test/helpers/chain/dumpChainFacts.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { buildIndexDeps } from '#test/helpers/database/indexDeps.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { winAuction } from '#test/helpers/solvers/winAuction.ts'
import { type BadNode, startBadNode } from '#tools/stack/chain/badNode.ts'
import { createNodeFaults } from '#tools/stack/chain/harsh/createNodeFaults.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { createIndexState, indexChain } from './indexChain.ts'

const { chainId } = networks.sepolia
let chain: SettlementChain
let testDatabase: TestDatabase
let node: BadNode

beforeAll(async () => {
  ;[chain, testDatabase] = await Promise.all([startSettlementChain(), startTestDatabase()])
  node = await startBadNode(chain.rpcUrl)
})
afterAll(async () => {
  node?.close()
  await chain?.stop()
  await testDatabase?.close()
})

test.each([1, 2])('a balancer whose nodes lag up to three blocks hides no event, seed %d', async (seed) => {
  await emptyDatabase(testDatabase.database)
  const startBlock = Number(await chain.client.getBlockNumber()) + 1
  // more than any node lags: indexing begins there
  await chain.mine(4)
  const faults = { maxLagBlocks: 3, latencyMs: 0, limitedShare: 0.02, missingMethods: ['eth_getBlockReceipts'] }
  node.interfere(createNodeFaults(faults, createRandom(seed)))
  const state = createIndexState()
  const deps = buildIndexDeps(testDatabase.database, connectChain(node.url, chainId), startBlock)
  const index = () => indexChain(deps, state).catch(() => undefined)
  const placed: NewOrder[] = []
  for (let i = 0; i < 4; i++) {
    const order = chain.buildOrder(100 * seed + i)
    await insertOrder(testDatabase.database, order)
    placed.push(order)
    await index()
    await chain.presign(order.uid)
    await index()
    if (i % 2 === 0) await chain.invalidate(order.uid)
    else {
      const fills = [{ order, executedSell: 1000n, executedBuy: 3000n }]
      const win = { solver: chain.solver, fills, deadlineBlock: 1_000_000, block: startBlock }
      await chain.settle(fills, await winAuction(testDatabase.database, win))
    }
    await index()
  }
  const newest = Number(await chain.client.getBlockNumber())
  let indexed: number | undefined
  for (let i = 0; i < 200 && indexed !== newest; i++) indexed = (await index())?.head.number
  expect(indexed).toBe(newest)
  const { orders, trades, outcomes } = await dumpChainFacts(testDatabase.database, chainId)
  expect(trades).toHaveLength(2)
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(2).fill('success'))
  expect(orders.filter(({ invalidated }) => invalidated)).toHaveLength(2)
  expect(orders.filter(({ presigned }) => presigned)).toHaveLength(placed.length)
})
