import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { selectBlocks, storedBlocks } from '#schema/queries/chain/blocks.ts'
import { insertOrder, type NewOrder } from '#schema/queries/orders/orders.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { dumpChainFacts } from '#test/helpers/chain/dumpChainFacts.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { buildIndexDeps } from '#test/helpers/database/indexDeps.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { winAuction } from '#test/helpers/solvers/winAuction.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { createIndexState, indexChain } from './indexChain.ts'
import type { IndexingDeps } from './indexingDeps.ts'

const { chainId } = networks.sepolia
const chunk = 500

let chain: SettlementChain
let testDatabase: TestDatabase
let node: BadNode
let startBlock: number
let seed = 0
let logged: unknown[] = []
let placed: NewOrder[] = []

beforeAll(async () => {
  ;[chain, testDatabase] = await Promise.all([startSettlementChain(), startTestDatabase()])
  node = await startBadNode(chain.rpcUrl)
})
afterAll(async () => {
  node?.close()
  await chain?.stop()
  await testDatabase?.close()
})
beforeEach(async () => {
  await emptyDatabase(testDatabase.database)
  logged = []
  placed = []
  node.interfere()
  // a reorganisation may be deeper than everything indexed, but leaves the contracts
  await replaceable()
  await chain.mine(40)
  startBlock = Number(await chain.client.getBlockNumber()) + 1
  await chain.mine(1)
})

/** A transaction, without which the blocks after a reorganisation would be the same. */
const replaceable = async () => {
  seed += 1
  await chain.presign(chain.buildOrder(seed).uid)
}
const buildDeps = (changes: Partial<IndexingDeps> = {}): IndexingDeps => ({
  ...buildIndexDeps(testDatabase.database, chain.client, startBlock),
  log: (entry) => logged.push(entry),
  ...changes,
})
const dump = () => dumpChainFacts(testDatabase.database, chainId)
const findCursor = async () => (await selectBlocks(testDatabase.database, chainId)).at(-1)?.number
/** Each step as after a restart; at most `limit` steps. @returns the cursor after each */
const catchUp = async (deps = buildDeps(), limit = 100): Promise<number[]> => {
  const cursors: number[] = []
  for (let caughtUp = false; !caughtUp && cursors.length < limit; ) {
    const indexed = await indexChain(deps, createIndexState())
    ;({ caughtUp } = indexed)
    cursors.push(indexed.head.number)
    expect(await findCursor()).toBe(indexed.head.number)
  }
  return cursors
}
/** The chain's facts are those that a first run finds. */
const expectSameAsFresh = async () => {
  const { database } = testDatabase
  const readFacts = async () => {
    const { trades, settlements, orders } = await dump()
    const facts = orders.map(({ uid, executedSellAmount, executedBuyAmount, invalidated, presigned }) => ({
      ...{ uid, executedSellAmount, executedBuyAmount, invalidated, presigned },
    }))
    return { trades, settlements: settlements.map(({ blockNumber, logIndex }) => ({ blockNumber, logIndex })), facts }
  }
  const before = await readFacts()
  await emptyDatabase(database)
  for (const order of placed) await insertOrder(database, order)
  await catchUp()
  expect(await readFacts()).toEqual(before)
}

/** Two fills and an invalidation, which are indexed. */
const trade = async (): Promise<NewOrder[]> => {
  const orders = [0, 1, 2].map(() => {
    seed += 1
    return chain.buildOrder(seed)
  })
  for (const order of orders) await insertOrder(testDatabase.database, order)
  placed.push(...orders)
  const [first, second, third] = orders as [NewOrder, NewOrder, NewOrder]
  await catchUp()
  const fills = [first, second].map((order) => ({ order, executedSell: 1000n, executedBuy: 3000n }))
  const auctionId = await winAuction(testDatabase.database, {
    solver: chain.solver,
    fills,
    deadlineBlock: 1_000_000,
    block: startBlock,
  })
  for (const { uid } of [first, second]) await chain.presign(uid)
  await chain.settle(fills, auctionId)
  await chain.invalidate(third.uid)
  await catchUp()
  expect((await dump()).trades.filter(({ orderUid }) => orderUid === first.uid)).toHaveLength(1)
  return orders
}

describe('a reorganisation deeper than the newest blocks', () => {
  test('is undone and replaced in one step, with the result of a fresh start', async () => {
    await trade()
    await chain.mine(storedBlocks)
    await catchUp()
    const orders = await trade()
    await chain.mine(storedBlocks)
    await catchUp()
    const before = await findCursor()
    await chain.reorganise(storedBlocks + 10)
    expect(await catchUp()).toEqual([before])
    const { trades, outcomes } = await dump()
    expect(trades).toHaveLength(2)
    expect(outcomes).toMatchObject([{ outcome: 'success' }, { outcome: null }])
    for (const { uid } of orders) expect(trades.map(({ orderUid }) => orderUid)).not.toContain(uid)
    await expectSameAsFresh()
  })

  test('is not undone while the nodes disagree, but while one is down', async () => {
    await trade()
    await replaceable()
    await chain.mine(100)
    await catchUp()
    const before = await dump()
    const old = await chain.client.getBlock()
    await chain.reorganise(103)
    const other = connectChain(node.url, chainId)
    const deps = buildDeps({ nodes: [chain.client, other] })
    node.interfere((call, forward) =>
      call.method === 'eth_getBlockByNumber' ? { ...toJson(old), number: (call.params as string[])[0] } : forward(),
    )
    await expect(indexChain(deps, createIndexState())).rejects.toThrow('1 of 2 nodes of RPC_URL confirm')
    expect(await dump()).toEqual(before)
    node.interfere(() => {
      throw new NodeRefusal({ status: 503 })
    })
    await catchUp(deps)
    expect((await dump()).trades).toEqual([])
  })

  const depths = process.env.LONG ? [40, 90] : [90]
  test.each(depths)('of %d blocks is undone with a node that responds for ten blocks at most', async (depth) => {
    await trade()
    await chain.mine(storedBlocks)
    await trade()
    await chain.mine(30)
    await catchUp()
    const head = await findCursor()
    node.interfere((call, forward) => {
      const [{ fromBlock, toBlock }] = call.params as [{ fromBlock?: string; toBlock?: string }]
      if (call.method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 10)
        throw new NodeRefusal({ error: { code: -32_602, message: 'block range is too wide' } })
      return forward()
    })
    await chain.reorganise(depth)
    const deps = buildDeps({ chain: connectChain(node.url, chainId) })
    const state = createIndexState()
    let failures = 0
    for (let caughtUp = false; !caughtUp; ) {
      caughtUp = await indexChain(deps, state).then(
        (indexed) => indexed.caughtUp,
        () => {
          failures += 1
          expect(failures).toBeLessThan(20)
          return false
        },
      )
    }
    expect(await findCursor()).toBe(head)
    await expectSameAsFresh()
  })

  test('to before the oldest indexed block stops the indexing and says what to do', async () => {
    await trade()
    await chain.mine(63)
    await catchUp()
    const before = await dump()
    await chain.reorganise(115)
    await chain.mine(1)
    const state = createIndexState()
    await expect(indexChain(buildDeps(), state)).rejects.toThrow('set REINDEX_FROM')
    await expect(indexChain(buildDeps(), state)).rejects.toThrow('RPC_URL')
    expect(await dump()).toEqual(before)

    const reindexing = buildDeps({ reindexFrom: startBlock })
    await catchUp(reindexing)
    const after = await dump()
    expect(after.trades).toEqual([])
    expect(after.settlements).toEqual([])
    expect(after.outcomes).toMatchObject([{ outcome: null }])
    expect(after.orders.map(({ executedBuyAmount, invalidated }) => [executedBuyAmount, invalidated])).toEqual(
      Array(3).fill([0n, false]),
    )
    const { blocks } = after
    await indexChain(reindexing, createIndexState())
    expect((await dump()).blocks).toEqual(blocks)
  })

  test('of more than a week needs the operator, too', async () => {
    await trade()
    await chain.mine(1)
    await catchUp()
    const fork = Number(await chain.client.getBlockNumber())
    await chain.client.request({ method: 'evm_increaseTime', params: [8 * 86_400] } as never)
    await replaceable()
    await chain.mine(100)
    await catchUp()
    const before = await dump()
    await chain.reorganise(101)
    await chain.client.request({ method: 'evm_increaseTime', params: [8 * 86_400] } as never)
    await chain.mine(1)
    await expect(indexChain(buildDeps(), createIndexState())).rejects.toThrow(/newest indexed block .* is \d+, of 20/)
    expect(await dump()).toEqual(before)
    await catchUp(buildDeps({ reindexFrom: fork + 1 }))
    expect((await dump()).trades).toHaveLength(2)
    expect(await findCursor()).toBe(Number(await chain.client.getBlockNumber()))
  })

  // the last one: the local chain does not retain the state of so many blocks
  test('is undone in steps when it is long, each of which leaves a database that continues', async () => {
    await trade()
    await chain.mine(20)
    await catchUp()
    await trade()
    await chain.mine(chunk)
    await catchUp()
    await chain.mine(200)
    await catchUp()
    const head = Number(await chain.client.getBlockNumber())
    await chain.reorganise(chunk + 210)
    const cursors = await catchUp()
    const [first = 0] = cursors
    expect(cursors.length).toBeGreaterThanOrEqual(3)
    expect(first).toBeLessThan(head)
    expect(head - first).toBeLessThanOrEqual(chunk)
    expect(cursors.at(-1)).toBe(head)
    expect(logged).toContainEqual(expect.objectContaining({ message: 'chain reorganised' }))
    expect((await dump()).trades).toHaveLength(2)
    await expectSameAsFresh()
  })
})

const toJson = (block: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(block).map(([name, value]) => [name, typeof value === 'bigint' ? `0x${value.toString(16)}` : value]),
  )
