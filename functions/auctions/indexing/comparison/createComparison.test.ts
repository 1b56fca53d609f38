import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { selectChainDifference } from '#schema/queries/chain/chainDifferences.ts'
import { insertOrder, type NewOrder, selectOrder } from '#schema/queries/orders/orders.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { networks } from '#shared/networks.ts'
import { dumpChainFacts } from '#test/helpers/chain/dumpChainFacts.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { buildIndexDeps } from '#test/helpers/database/indexDeps.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { winAuction } from '#test/helpers/solvers/winAuction.ts'
import { type BadNode, type Interference, startBadNode } from '#tools/stack/chain/badNode.ts'
import { createIndexing } from '../createIndexing.ts'
import { createIndexState, indexChain } from '../indexChain.ts'
import type { IndexingDeps } from '../indexingDeps.ts'

const network = networks.sepolia
const { chainId } = network

let chain: SettlementChain
let testDatabase: TestDatabase
let node: BadNode
let startBlock: number
let seed = 0
let logged: JsonObject[] = []

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
  logged = []
  startBlock = Number(await chain.client.getBlockNumber()) + 1
  await chain.mine(1)
})

const connect = () => connectChain(node.url, chainId)
/** The bad node alone, or before an honest one. */
const buildDeps = (hasOther: boolean): IndexingDeps => ({
  ...buildIndexDeps(testDatabase.database, connect(), startBlock),
  nodes: hasOther ? [connect(), chain.client] : [connect()],
  log: (entry) => logged.push(entry),
})
const messages = () => logged.map(({ message }) => message)
const place = async (changes: Partial<NewOrder> = {}): Promise<NewOrder> => {
  seed += 1
  const order = chain.buildOrder(seed, changes)
  await insertOrder(testDatabase.database, order)
  await chain.presign(order.uid)
  return order
}
const toFill = (order: NewOrder) => ({ order, executedSell: 1000n, executedBuy: 3000n })
const executedOf = async ({ uid }: NewOrder) =>
  (await selectOrder(testDatabase.database, chainId, uid))?.executedBuyAmount
const difference = () => selectChainDifference(testDatabase.database, chainId, 0)
const outcomes = async () =>
  (await dumpChainFacts(testDatabase.database, chainId)).outcomes.map(({ outcome }) => outcome)

type Json = Record<string, unknown>
const noBloom = `0x${'0'.repeat(512)}`
/** Changes each receipt, also within the receipts of a block. */
const changeReceipts =
  (changeReceipt: (receipt: Json) => Json[]): Interference =>
  async (call, forward) => {
    const result = await forward()
    if (call.method === 'eth_getLogs') return []
    if (call.method === 'eth_getTransactionReceipt') return changeReceipt(result as Json)[0] ?? null
    return call.method === 'eth_getBlockReceipts' ? (result as Json[]).flatMap(changeReceipt) : result
  }
const withoutLogs = changeReceipts((receipt) => [{ ...receipt, logs: [] }])

/** Omissions that contradict the header's `logsBloom`. */
const contradictions: [string, Interference][] = [
  ['logs', withoutLogs],
  ['logs and filters', changeReceipts((receipt) => [{ ...receipt, logs: [], logsBloom: noBloom }])],
  ['receipts', changeReceipts(() => [])],
]

test.each(contradictions)(
  'blocks without their %s are not indexed, and each fill is known afterwards',
  async (_, lie) => {
    const indexing = createIndexing(buildDeps(false))
    const orders = [await place(), await place()]
    await indexing.advance()
    node.interfere(lie)
    for (const order of orders) {
      const win = { solver: chain.solver, fills: [toFill(order)], deadlineBlock: 1_000_000, block: startBlock }
      await chain.settle([toFill(order)], await winAuction(testDatabase.database, win))
      await expect(indexing.advance()).rejects.toThrow(/block \d+/)
    }
    expect(await difference()).toMatch(/block \d+/)
    node.interfere()
    await indexing.advance()
    expect(await Promise.all(orders.map(executedOf))).toEqual([3000n, 3000n])
    expect(await outcomes()).toEqual(['success', 'success'])
    expect(await difference()).toBeUndefined()
  },
)

test.each(contradictions)('blocks without their %s are read from another node at once', async (_, lie) => {
  const indexing = createIndexing(buildDeps(true))
  const order = await place()
  await indexing.advance()
  node.interfere(lie)
  const win = { solver: chain.solver, fills: [toFill(order)], deadlineBlock: 1_000_000, block: startBlock }
  await chain.settle([toFill(order)], await winAuction(testDatabase.database, win))
  await indexing.advance()
  expect(await executedOf(order)).toBe(3000n)
  expect(await outcomes()).toEqual(['success'])
  expect(messages()).toContain('blocks read from another node')
  expect(await difference()).toBeUndefined()
})

/** Mines calls of the settlement contract in one block. */
const mineTogether = async (calls: readonly { from: Address; data: Hex }[]): Promise<void> => {
  await chain.chain.setAutomine(false)
  try {
    for (const { from, data } of calls) {
      await chain.chain.impersonateAccount({ address: from })
      const call = { from, to: network.settlementContract, data, gas: '0x1e8480' }
      await chain.chain.request({ method: 'eth_sendTransaction', params: [call] } as never)
    }
    await chain.mine(1)
  } finally {
    await chain.chain.setAutomine(true)
  }
}
const encodeRevocation = ({ uid }: NewOrder): Hex =>
  encodeFunctionData({ abi: settlementAbi, functionName: 'setPreSignature', args: [uid, false] })

test.each<[string, (order: NewOrder) => { from: Address; data: Hex }]>([
  ['another settlement', (order) => ({ from: chain.solver, data: chain.encodeSettle([toFill(order)]) })],
  ['a presignature', (order) => ({ from: chain.owner, data: encodeRevocation(order) })],
])('a node that shows one transaction of a block and leaves out %s is found out by the receipts', async (_, toCall) => {
  const indexing = createIndexing(buildDeps(false))
  const [settled, other] = [await place(), await place()]
  await indexing.advance()
  const shown = new Set<unknown>()
  node.interfere(async (call, forward) => {
    const result = await forward()
    if (call.method !== 'eth_getLogs') return result
    const logs = result as Json[]
    const [first] = logs
    for (const { transactionHash } of logs) shown.add(transactionHash)
    return logs.filter(({ transactionHash }) => transactionHash === first?.transactionHash)
  })
  await mineTogether([{ from: chain.solver, data: chain.encodeSettle([toFill(settled)]) }, toCall(other)])
  await expect(indexing.advance()).rejects.toThrow(/logs of block \d+ are missing/)
  expect(shown.size).toBe(2)
  expect(await difference()).toMatch(/block \d+/)
  node.interfere()
  await indexing.advance()
  expect(await executedOf(settled)).toBe(3000n)
  expect(await difference()).toBeUndefined()
})

test('a settlement that is left out beside another one without a contradiction is found by the orders of its attempt', async () => {
  const indexing = createIndexing(buildDeps(false))
  const [first, second] = [await place(), await place()]
  await indexing.advance()
  const hidden = `0x${'0'.repeat(24)}${chain.solver.slice(2)}`
  let settlements = 0
  node.interfere(async (call, forward) => {
    const result = await forward()
    if (call.method === 'eth_getBlockByNumber' && result) return { ...(result as Json), logsBloom: noBloom }
    if (call.method !== 'eth_getLogs') return result
    const logs = result as Json[]
    const last = logs.findLast(({ topics }) => (topics as string[])[1] === hidden)
    settlements += last ? 1 : 0
    return logs.filter(({ transactionHash }) => transactionHash !== last?.transactionHash)
  })
  const calls: { from: Address; data: Hex }[] = []
  for (const fill of [first, second].map(toFill)) {
    const win = { solver: chain.solver, fills: [fill], deadlineBlock: 1_000_000, block: startBlock }
    const auctionId = await winAuction(testDatabase.database, win)
    calls.push({ from: chain.solver, data: chain.encodeSettle([fill], auctionId) })
  }
  await mineTogether(calls)
  await indexing.advance()
  expect(settlements).toBe(1)
  expect((await Promise.all([first, second].map(executedOf))).toSorted()).toEqual([0n, 3000n])
  node.interfere()
  for (let i = 0; i < 3; i++) await indexing.advance()
  expect(await Promise.all([first, second].map(executedOf))).toEqual([3000n, 3000n])
  expect(await outcomes()).toEqual(['success', 'success'])
})

/** A consistent lie: the header has no filter either. */
const consistent: Interference = async (call, forward) => {
  const result = await withoutLogs(call, forward)
  return call.method === 'eth_getBlockByNumber' && result ? { ...(result as Json), logsBloom: noBloom } : result
}

test.each([
  ['its own node, once that is honest', false, undefined],
  ['another node, while the first one still lies', true, consistent],
])('a fill that nothing contradicts is found in the filled amounts and read from %s', async (_, hasOther, later) => {
  const indexing = createIndexing(buildDeps(hasOther))
  const [own, foreign, invalidated] = [await place(), await place({ partiallyFillable: true }), await place()]
  await indexing.advance()
  node.interfere(consistent)
  const win = { solver: chain.solver, fills: [toFill(own)], deadlineBlock: 1_000_000, block: startBlock }
  await chain.settle([toFill(own)], await winAuction(testDatabase.database, win))
  await chain.settle([{ order: foreign, executedSell: 400n, executedBuy: 1300n }])
  await chain.invalidate(invalidated.uid)
  await chain.mine(70)
  await indexing.advance()
  expect(await executedOf(own)).toBe(0n)
  node.interfere(later)
  await indexing.advance()
  await indexing.advance()
  expect(messages()).toEqual(expect.arrayContaining(['chain differs', 'block read again']))
  await indexing.advance()
  expect(await Promise.all([own, foreign].map(executedOf))).toEqual([3000n, 1300n])
  expect(await selectOrder(testDatabase.database, chainId, invalidated.uid)).toMatchObject({ invalidated: true })
  expect(await outcomes()).toEqual(['success'])
  expect(await difference()).toBeUndefined()
})

/** Adds a copy of each trade behind it, of the same order or of another one. */
const addTrades = (real: NewOrder, shown: NewOrder): Interference => {
  const add = (log: Json): Json[] => {
    const data = String(log.data)
    if (!data.includes(real.uid.slice(2))) return [log]
    const copied = data.replace(real.uid.slice(2), shown.uid.slice(2))
    // the number of the transfer that follows, which is no log of ours
    return [log, { ...log, data: copied, logIndex: `0x${(Number(log.logIndex) + 1).toString(16)}` }]
  }
  const addTo = (receipt: Json) => ({ ...receipt, logs: (receipt.logs as Json[]).flatMap(add) })
  return async (call, forward) => {
    const result = await forward()
    if (call.method === 'eth_getLogs') return (result as Json[]).flatMap(add)
    if (call.method === 'eth_getTransactionReceipt') return addTo(result as Json)
    return call.method === 'eth_getBlockReceipts' ? (result as Json[]).map(addTo) : result
  }
}

test.each([
  ['of another order', false, '400 in the index, 0'],
  ['of the same order', true, '800 in the index, 400'],
])('a trade %s that a node invents within the filter of the block is an alarm', async (_, isSame, amounts) => {
  const indexing = createIndexing(buildDeps(false))
  const [real, other] = [await place({ partiallyFillable: true }), await place({ partiallyFillable: true })]
  await indexing.advance()
  const shown = isSame ? real : other
  node.interfere(addTrades(real, shown))
  await chain.settle([{ order: real, executedSell: 400n, executedBuy: 1300n }])
  await indexing.advance()
  expect(await executedOf(shown)).toBe(isSame ? 2600n : 1300n)
  node.interfere()
  for (let i = 0; i < 4; i++) {
    await chain.mine(1)
    await indexing.advance()
  }
  expect(await difference()).toBe(`order ${shown.uid}: filled amount ${amounts} on the chain`)
})

test('an unrepaired difference stands, and one of a partially fillable order ends when no node knows the fill', async () => {
  const [whole, partial] = [await place(), await place({ partiallyFillable: true })]
  await chain.settle([toFill(whole), { order: partial, executedSell: 1n, executedBuy: 3n }])
  // indexed from a later block only
  await chain.mine(1)
  startBlock = Number(await chain.client.getBlockNumber())
  const hideTrades: Interference = async (call, forward) => (call.method === 'eth_getLogs' ? [] : forward())
  node.interfere(hideTrades)
  const indexing = createIndexing(buildDeps(false))
  for (let i = 0; i < 6; i++) await indexing.advance()
  expect(await difference()).toBe(`order ${whole.uid}: filled amount 0 in the index, 1000 on the chain`)
  expect(messages().filter((message) => message === 'fill not found')).toHaveLength(1)
  node.interfere()
  for (let i = 0; i < 3; i++) await indexing.advance()
  expect(await executedOf(whole)).toBe(3000n)
  expect(await difference()).toBeUndefined()
})

test('a search whose block is never read in full delays no other one', async () => {
  const indexing = createIndexing(buildDeps(false))
  const [stuck, other] = [await place(), await place()]
  await indexing.advance()
  node.interfere(consistent)
  await chain.settle([toFill(stuck)])
  const hiddenBlock = Number(await chain.client.getBlockNumber())
  await indexing.advance()
  await chain.mine(70)
  await chain.settle([toFill(other)])
  await indexing.advance()
  node.interfere(async (call, forward) => {
    const result = await forward()
    if (call.method === 'eth_getBlockByNumber' && result) return { ...(result as Json), logsBloom: noBloom }
    const [{ topics = [] } = {}] = call.params as { topics?: unknown[] }[]
    const isSearch = topics.length > 1
    if (call.method !== 'eth_getLogs' || isSearch) return result
    return (result as Json[]).filter(({ blockNumber }) => Number(blockNumber) !== hiddenBlock)
  })
  for (let i = 0; i < 4; i++) await indexing.advance()
  expect(await Promise.all([stuck, other].map(executedOf))).toEqual([0n, 3000n])
  expect(await difference()).toBe(`order ${stuck.uid}: filled amount 0 in the index, 1000 on the chain`)
})

test('a comparison takes one call for any book, and none without orders', async () => {
  const indexing = createIndexing(buildDeps(false))
  await indexing.advance()
  node.interfere()
  await chain.mine(1)
  await indexing.advance()
  expect(node.calls.filter(({ method }) => method === 'eth_call')).toEqual([])
  for (let i = 0; i < 250; i++) await insertOrder(testDatabase.database, chain.buildOrder(100_000 + i))
  for (let i = 0; i < 3; i++) {
    await chain.mine(1)
    node.interfere()
    await indexing.advance()
    const calls = node.calls.map(({ method }) => method).toSorted()
    expect(calls).toEqual(['eth_call', 'eth_getBlockByNumber', 'eth_getBlockByNumber', 'eth_getLogs'])
  }
})

test('the same chain read by an honest node has the same rows as one that was repaired', async () => {
  const order = await place({ partiallyFillable: true })
  const indexing = createIndexing(buildDeps(false))
  await indexing.advance()
  node.interfere(consistent)
  await chain.settle([{ order, executedSell: 400n, executedBuy: 1300n }])
  await indexing.advance()
  node.interfere()
  for (let i = 0; i < 3; i++) await indexing.advance()
  const { events: _, ...repaired } = await dumpChainFacts(testDatabase.database, chainId)
  await emptyDatabase(testDatabase.database)
  await insertOrder(testDatabase.database, order)
  await indexChain(buildDeps(false), createIndexState())
  const { events: _events, ...fresh } = await dumpChainFacts(testDatabase.database, chainId)
  expect(repaired).toEqual(fresh)
})
