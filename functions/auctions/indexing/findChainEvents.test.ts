import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertOrder, type NewOrder } from '#schema/queries/orders/orders.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { dumpChainFacts } from '#test/helpers/chain/dumpChainFacts.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { buildIndexDeps } from '#test/helpers/database/indexDeps.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { winAuction } from '#test/helpers/solvers/winAuction.ts'
import { settlesBefore } from '#test/helpers/stack/settles.ts'
import { type BadNode, type Interference, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { createIndexState, indexChain } from './indexChain.ts'

const network = networks.sepolia
const { chainId } = network

let chain: SettlementChain
let testDatabase: TestDatabase
let node: BadNode
let startBlock: number
let seed = 0

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
  node.interfere()
  startBlock = Number(await chain.client.getBlockNumber()) + 1
  await chain.mine(1)
})

const buildDeps = () => buildIndexDeps(testDatabase.database, connectChain(node.url, chainId), startBlock)
const dump = () => dumpChainFacts(testDatabase.database, chainId)
const place = async (): Promise<NewOrder> => {
  seed += 1
  const order = chain.buildOrder(seed)
  await insertOrder(testDatabase.database, order)
  return order
}

/** Blocks that are not indexed yet: a signature, a settlement with two trades, an invalidation. */
const trade = async () => {
  const [first, second, third] = [await place(), await place(), await place()]
  await indexChain(buildDeps(), createIndexState())
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
  await chain.mine(2)
}

const otherHash = `0x${'ab'.repeat(32)}`
const isBlock = (method: string) => method === 'eth_getBlockByNumber'
const only =
  (method: string, interfere: Interference): Interference =>
  (call, forward) =>
    call.method === method ? interfere(call, forward) : forward()
const refuse =
  (code: number, message: string): Interference =>
  () => {
    throw new NodeRefusal({ error: { code, message } })
  }
type Answer = Record<string, unknown>
const change = (method: string, changeResult: (answer: never) => unknown): Interference =>
  only(method, async (_, forward) => changeResult((await forward()) as never))

/** Changes the receipts of single transactions, for a node that refuses those of blocks. */
const changeReceipt =
  (changeResult: (receipt: Answer) => Answer | null): Interference =>
  async (call, forward) => {
    if (call.method === 'eth_getBlockReceipts') return refuse(-32_601, 'the method does not exist')(call, forward)
    const result = await forward()
    return call.method === 'eth_getTransactionReceipt' ? changeResult(result as Answer) : result
  }

const delaying: [string, Interference][] = [
  ['knows no head', only('eth_getBlockByNumber', () => null)],
  ['knows the head, but not its logs yet', only('eth_getLogs', refuse(-32_000, 'unknown block'))],
  ['leaves all logs out', only('eth_getLogs', () => [])],
  ['leaves the last log of each block out', change('eth_getLogs', (logs: Answer[]) => logs.slice(0, -1))],
  [
    'leaves the trades out',
    change('eth_getLogs', (logs: Answer[]) => logs.filter(({ topics }) => (topics as unknown[]).length !== 2)),
  ],
  [
    'has logs of another chain',
    change('eth_getLogs', (logs: Answer[]) => logs.map((log) => ({ ...log, blockHash: otherHash }))),
  ],
  [
    'has logs of another contract',
    change('eth_getLogs', (logs: Answer[]) => logs.map((log) => ({ ...log, address: chain.owner }))),
  ],
  ['has logs twice', change('eth_getLogs', (logs: Answer[]) => [...logs, ...logs])],
  ['has logs that are cut off', change('eth_getLogs', (logs: Answer[]) => logs.map((log) => ({ ...log, data: '0x' })))],
  ['has removed logs', change('eth_getLogs', (logs: Answer[]) => logs.map((log) => ({ ...log, removed: true })))],
  ['has no receipts of blocks', only('eth_getBlockReceipts', () => null)],
  [
    'has receipts of blocks from another chain',
    change('eth_getBlockReceipts', (receipts: Answer[]) =>
      receipts.map((receipt) => ({ ...receipt, blockHash: otherHash })),
    ),
  ],
  [
    'has receipts of blocks without logs',
    change('eth_getBlockReceipts', (receipts: Answer[]) => receipts.map((receipt) => ({ ...receipt, logs: [] }))),
  ],
  ['has no receipts', changeReceipt(() => null)],
  ['has receipts of another chain', changeReceipt((receipt) => ({ ...receipt, blockHash: otherHash }))],
  ['has receipts without logs', changeReceipt((receipt) => ({ ...receipt, logs: [] }))],
  ['has no transactions', only('eth_getTransactionByHash', () => null)],
  [
    'has another hash for each block but the head',
    (call, forward) =>
      isBlock(call.method) && call.params[0] !== 'latest'
        ? forward().then((block) => ({ ...(block as Answer), hash: otherHash }))
        : forward(),
  ],
  [
    'responds with another block',
    (call, forward) => {
      const [number] = call.params as string[]
      if (!isBlock(call.method) || number === 'latest') return forward()
      return forward({ ...call, params: [`0x${(Number(number) - 1).toString(16)}`, false] })
    },
  ],
  [
    'fails',
    () => {
      throw new NodeRefusal({ status: 502 })
    },
  ],
  [
    'fails now and then',
    (_, forward) =>
      node.calls.length % 5 === 0 ? refuse(-32_603, 'internal error')({ method: '', params: [] }, forward) : forward(),
  ],
  [
    'limits its rate',
    () => {
      throw new NodeRefusal({ status: 429, headers: { 'Retry-After': '3600' } })
    },
  ],
]

test('the receipts of blocks with logs replace those of their settlements', async () => {
  await trade()
  node.interfere()
  const { blocks } = await indexChain(buildDeps(), createIndexState())
  const methods = Map.groupBy(node.calls, ({ method }) => method)
  // two signatures, a settlement and an invalidation
  expect(methods.get('eth_getBlockReceipts')).toHaveLength(4)
  expect(methods.get('eth_getTransactionByHash')).toHaveLength(1)
  expect(methods.get('eth_getTransactionReceipt')).toBeUndefined()
  expect(blocks).toBe(6)
})

describe('a node that', () => {
  test.each(delaying)('%s delays the indexing and loses nothing', async (_, interference) => {
    await trade()
    const before = await dump()
    const state = createIndexState()
    node.interfere(interference)
    for (let i = 0; i < 2; i++) await expect(indexChain(buildDeps(), state)).rejects.toThrow()
    expect(await dump()).toEqual(before)

    node.interfere()
    await indexChain(buildDeps(), state)
    const after = await dump()
    expect(
      after.orders
        .map(({ executedBuyAmount, presigned, invalidated }) => [executedBuyAmount, presigned, invalidated])
        .toSorted(),
    ).toEqual([
      [0n, false, true],
      [3000n, true, false],
      [3000n, true, false],
    ])
    expect(after.outcomes).toMatchObject([{ outcome: 'success' }])
    expect(after.blocks.at(-1)?.number).toBe(Number(await chain.client.getBlockNumber()))
  })

  test('goes back to older blocks changes nothing', async () => {
    await trade()
    const state = createIndexState()
    const { head } = await indexChain(buildDeps(), state)
    const before = await dump()
    node.interfere((call, forward) => {
      const older = `0x${(head.number - 2).toString(16)}`
      return forward(call.params[0] === 'latest' ? { ...call, params: [older, false] } : call)
    })
    for (const remembered of [state, createIndexState()]) {
      expect(await indexChain(buildDeps(), remembered)).toEqual({ head, caughtUp: true, blocks: 0 })
    }
    expect(await dump()).toEqual(before)
  })

  test('is on another, shorter chain is not believed', async () => {
    await trade()
    const { head } = await indexChain(buildDeps(), createIndexState())
    const before = await dump()
    node.interfere(async (call, forward) => {
      if (call.params[0] !== 'latest') return forward()
      const block = (await forward({ ...call, params: [`0x${(head.number - 2).toString(16)}`, false] })) as Answer
      return { ...block, hash: otherHash }
    })
    await expect(indexChain(buildDeps(), createIndexState())).rejects.toThrow('indexed are blocks up to')
    expect(await dump()).toEqual(before)
  })

  test('stays on a shorter chain is believed when its head is more than a minute newer', async () => {
    await trade()
    await chain.mine(10)
    const order = await place()
    const { head } = await indexChain(buildDeps(), createIndexState())
    const before = await dump()
    const rpc = chain.client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>
    await rpc({ method: 'anvil_rollback', params: [8] })
    await chain.presign(order.uid)
    await expect(indexChain(buildDeps(), createIndexState())).rejects.toThrow('indexed are blocks up to')
    expect(await dump()).toEqual(before)
    await rpc({ method: 'evm_increaseTime', params: [120] })
    await chain.mine(1)
    const after = await indexChain(buildDeps(), createIndexState())
    expect(after).toMatchObject({ caughtUp: true, head: { number: Number(await chain.client.getBlockNumber()) } })
    expect(after.head.number).toBeLessThan(head.number)
    expect((await dump()).blocks.at(-1)).toMatchObject({ hash: (await chain.client.getBlock()).hash })
    expect((await dump()).orders.filter(({ presigned }) => presigned)).toHaveLength(3)
  })

  test('refuses large ranges receives requests for smaller ones, until the chain is read', async () => {
    await trade()
    await chain.mine(400)
    await chain.presign((await place()).uid)
    const spans: number[] = []
    node.interfere(
      only('eth_getLogs', ({ params: [filter] }, forward) => {
        const { fromBlock, toBlock } = filter as Record<string, string>
        const span = toBlock ? Number(toBlock) - Number(fromBlock) + 1 : 1
        if (span > 100) throw new NodeRefusal({ error: { code: -32_602, message: 'block range is too wide' } })
        spans.push(span)
        return forward()
      }),
    )
    const state = createIndexState()
    let failures = 0
    for (let caughtUp = false; !caughtUp; ) {
      caughtUp = await indexChain(buildDeps(), state).then(
        (indexed) => indexed.caughtUp,
        () => {
          failures += 1
          return false
        },
      )
    }
    expect(failures).toBeGreaterThanOrEqual(3)
    expect(failures).toBeLessThan(10)
    expect(Math.max(...spans)).toBeGreaterThan(50)
    const { orders, outcomes } = await dump()
    expect(orders.filter(({ presigned }) => presigned)).toHaveLength(3)
    expect(outcomes).toMatchObject([{ outcome: 'success' }])
  })

  test('never responds is abandoned after ten seconds', { timeout: 30_000 }, async () => {
    await trade()
    node.interfere(() => new Promise(() => undefined))
    await settlesBefore(15_000, expect(indexChain(buildDeps(), createIndexState())).rejects.toThrow())
  })
})
