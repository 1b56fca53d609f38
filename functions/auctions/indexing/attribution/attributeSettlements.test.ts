import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { selectCandidates } from '#schema/queries/auctions/selectCandidates.ts'
import { selectAccountOrders } from '#schema/queries/orders/accountOrders.ts'
import { insertOrder, type NewOrder, selectOrder } from '#schema/queries/orders/orders.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { dumpChainFacts } from '#test/helpers/chain/dumpChainFacts.ts'
import { type SettledFill, type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { buildIndexDeps } from '#test/helpers/database/indexDeps.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { winAuction } from '#test/helpers/solvers/winAuction.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { allowListSolvers } from '#tools/stack/chain/contracts/allowListSolvers.ts'
import { deploySettlementContracts } from '#tools/stack/chain/contracts/deploySettlementContracts.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { getOrder } from '../../../orders/lookup/getOrder.ts'
import { createIndexState, indexChain } from '../indexChain.ts'

const network = networks.sepolia
const { chainId } = network
const stranger = devAccounts[5].address
const { abi, creationCode } = readCompiledContract('SettlementWrapper')

let chain: SettlementChain
let testDatabase: TestDatabase
let node: BadNode
let wrapper: Address
let startBlock: number
let state = createIndexState()
let seed = 0

beforeAll(async () => {
  ;[chain, testDatabase] = await Promise.all([startSettlementChain(), startTestDatabase()])
  node = await startBadNode(chain.rpcUrl)
  const hash = await chain.chain.deployContract({ account: stranger, abi, bytecode: creationCode, args: [] })
  const { contractAddress } = await waitForReceipt(chain.chain, hash)
  wrapper = contractAddress?.toLowerCase() as Address
  await allowListSolvers(chain.chain, await deploySettlementContracts(chain.chain), [wrapper])
})

afterAll(async () => {
  node?.close()
  await chain?.stop()
  await testDatabase?.close()
})

beforeEach(async () => {
  await emptyDatabase(testDatabase.database)
  node.interfere()
  state = createIndexState()
  startBlock = Number(await chain.client.getBlockNumber()) + 1
  await chain.mine(1)
})

const buildDeps = () => buildIndexDeps(testDatabase.database, connectChain(node.url, chainId), startBlock)
const index = () => indexChain(buildDeps(), state)

const sign = async (changes: Partial<NewOrder> = {}): Promise<NewOrder> => {
  seed += 1
  const order = chain.buildOrder(seed, changes)
  await chain.presign(order.uid)
  return order
}
const place = async (changes: Partial<NewOrder> = {}): Promise<NewOrder> => {
  const order = await sign(changes)
  await insertOrder(testDatabase.database, order)
  return order
}
const fillOf = (order: NewOrder, changes: Partial<SettledFill> = {}): SettledFill => ({
  order,
  executedSell: 1000n,
  executedBuy: 3000n,
  uniformSell: 990n,
  ...changes,
})
const win = (fills: SettledFill[], solver: Address = chain.solver) =>
  winAuction(testDatabase.database, { solver, fills, deadlineBlock: 1_000_000, block: startBlock })

type Call = { target: Address; data: Hex; mayFail: boolean }
const settleCall = (fills: SettledFill[], auctionId?: number): Call => ({
  target: network.settlementContract,
  data: chain.encodeSettle(fills, auctionId),
  mayFail: false,
})
const encodeExecute = (calls: Call[]) => encodeFunctionData({ abi, functionName: 'execute', args: [calls] })
/** `from` has the wrapper make these calls in one transaction. */
const wrap = (from: Address, ...calls: Call[]) =>
  sendFrom(chain.chain, from, { to: wrapper, data: encodeExecute(calls) })
const attributed = async () =>
  (await testDatabase.database.select().from(settlements).orderBy(settlements.blockNumber, settlements.logIndex)).map(
    ({ auctionId, solver }) => ({ auctionId, solver }),
  )
const traces = () => node.calls.filter(({ method }) => method === 'debug_traceTransaction').length

describe('a settlement that another contract makes', () => {
  test('a nested settlement belongs to the solver that sent the transaction, also two contracts away', async () => {
    const [first, second] = [await place(), await place()]
    const auctions = [await win([fillOf(first)]), await win([fillOf(second)])]
    await wrap(chain.solver, settleCall([fillOf(first)], auctions[0]))
    const inner = { target: wrapper, data: encodeExecute([settleCall([fillOf(second)], auctions[1])]), mayFail: false }
    await wrap(chain.solver, inner)
    await index()
    expect(await attributed()).toEqual(auctions.map((auctionId) => ({ auctionId, solver: chain.solver })))
    const facts = await dumpChainFacts(testDatabase.database, chainId)
    expect(facts.executions.map(({ orderUid, executedFee }) => [orderUid, executedFee])).toEqual([
      [first.uid, 10n],
      [second.uid, 10n],
    ])
    expect(facts.outcomes.map(({ outcome }) => outcome)).toEqual(['success', 'success'])
  })

  test('two nested settlements in one transaction count separately, and a failed call not at all', async () => {
    const [first, second] = [await place(), await place()]
    const auctions = [await win([fillOf(first)]), await win([fillOf(second)])]
    const failing = { ...settleCall([fillOf(first, { executedBuy: 10n ** 30n })], auctions[0]), mayFail: true }
    await wrap(
      chain.solver,
      failing,
      settleCall([fillOf(second)], auctions[1]),
      settleCall([fillOf(first)], auctions[0]),
    )
    await index()
    expect(await attributed()).toEqual([
      { auctionId: auctions[1], solver: chain.solver },
      { auctionId: auctions[0], solver: chain.solver },
    ])
  })

  test('the solver of a nested settlement is the first account on the call path that may settle', async () => {
    const [first, second] = [await place(), await place()]
    const ofWrapper = await win([fillOf(first)], wrapper)
    const ofSolver = await win([fillOf(second)])
    await wrap(stranger, settleCall([fillOf(first)], ofWrapper))
    await wrap(stranger, settleCall([fillOf(second)], ofSolver))
    await index()
    expect(await attributed()).toEqual([
      { auctionId: ofWrapper, solver: wrapper },
      { auctionId: null, solver: wrapper },
    ])
  })

  test('a nested settlement is foreign without tracing, and its trades count', async () => {
    const order = await place()
    await wrap(chain.solver, settleCall([fillOf(order)], await win([fillOf(order)])))
    node.interfere(({ method }, forward) => {
      if (method !== 'debug_traceTransaction') return forward()
      throw new NodeRefusal({ error: { code: -32_601, message: 'the method does not exist' } })
    })
    await index()
    expect(await attributed()).toEqual([{ auctionId: null, solver: wrapper }])
    expect(await selectOrder(testDatabase.database, chainId, order.uid)).toMatchObject({ executedBuyAmount: 3000n })
  })

  test('tracing stops after three failures of a transaction, so that it cannot stop the clock', async () => {
    const order = await place()
    await wrap(chain.solver, settleCall([fillOf(order)], await win([fillOf(order)])))
    node.interfere(({ method }, forward) => {
      if (method !== 'debug_traceTransaction') return forward()
      throw new NodeRefusal({ error: { code: -32_000, message: 'tracing failed' } })
    })
    await expect(index()).rejects.toThrow('tracing failed')
    await expect(index()).rejects.toThrow('tracing failed')
    expect(await attributed()).toEqual([])
    await index()
    expect(await attributed()).toEqual([{ auctionId: null, solver: wrapper }])
  })

  test('a nested settlement is not traced when no winner has one of its orders', async () => {
    const [won, other] = [await place(), await place()]
    await win([fillOf(won)])
    await wrap(chain.solver, settleCall([fillOf(other)]))
    node.interfere()
    await index()
    expect(await attributed()).toEqual([{ auctionId: null, solver: wrapper }])
    expect(traces()).toBe(0)
  })

  test('a nested settlement that gives an order less than promised is traced and attributed', async () => {
    const [extra, won] = [await place(), await place()]
    const auctionId = await win([fillOf(won, { executedBuy: 3200n })])
    await wrap(chain.solver, settleCall([fillOf(extra), fillOf(won)], auctionId))
    await index()
    expect(await attributed()).toEqual([{ auctionId, solver: chain.solver }])
    const promised = { sellAmount: '1000', buyAmount: '3200' }
    const paid = { sellAmount: '1000', buyAmount: '3000' }
    expect(await testDatabase.database.select({ mismatch: settlements.mismatch }).from(settlements)).toEqual([
      {
        mismatch: [
          { orderUid: won.uid, promised, settled: paid, debt: '0' },
          { orderUid: extra.uid, promised: null, settled: paid, debt: '0' },
        ],
      },
    ])
  })
})

test('a solution is settled once: a repetition is foreign, also in a later chunk', async () => {
  const order = await place({ partiallyFillable: true, sellAmount: 3000n, buyAmount: 9000n })
  const auctionId = await win([fillOf(order)])
  await chain.settle([fillOf(order)], auctionId)
  await chain.settle([fillOf(order)], auctionId)
  await index()
  await chain.settle([fillOf(order)], auctionId)
  await index()
  expect((await attributed()).map((settlement) => settlement.auctionId)).toEqual([auctionId, null, null])
  expect(await selectOrder(testDatabase.database, chainId, order.uid)).toMatchObject({
    executedSellAmount: 3000n,
    executedFee: 10n,
  })
})

describe('a just-in-time order', () => {
  const settle = async () => {
    const order = await place()
    const jit = await sign({ partiallyFillable: true, receiver: stranger, sellAmount: 2000n, buyAmount: 2n })
    // far from the uniform prices, which come after its own
    const fills = [fillOf(jit, { isJit: true, executedBuy: 1n }), fillOf(order)]
    await index()
    const auctionId = await win(fills)
    await chain.settle(fills, auctionId)
    return { order, jit, auctionId }
  }

  test('a just-in-time order pays no fee, and changes none of an order whose tokens it shares', async () => {
    const { order, jit } = await settle()
    await index()
    const { database } = testDatabase
    const route = getOrder({ database, chainId, now: Date.now, orderAppData: 'hash' })
    const findFee = async ({ uid }: NewOrder) =>
      ((await (await route.request(`/api/v1/orders/${uid}`)).json()) as { executedFee: string }).executedFee
    expect([await findFee(jit), await findFee(order)]).toEqual(['0', '10'])
  })

  test('a just-in-time order is stored with its settlement as it was signed, and never auctioned', async () => {
    const { jit, auctionId } = await settle()
    await index()
    const { timestamp } = await chain.client.getBlock()
    const stored = await selectOrder(testDatabase.database, chainId, jit.uid)
    const { chainId: _, fullAppData: _document, ...terms } = jit
    expect(stored).toMatchObject({
      ...terms,
      class: 'liquidity',
      createdAt: new Date(Number(timestamp) * 1000),
      executedSellAmount: 1000n,
      executedBuyAmount: 1n,
      presigned: true,
      quote: null,
    })
    const account = await selectAccountOrders(testDatabase.database, chainId, chain.owner, { offset: 0, limit: 10 })
    expect(account.map(({ uid }) => uid)).toContain(jit.uid)
    const { events } = await dumpChainFacts(testDatabase.database, chainId)
    expect(events.filter(({ orderUid }) => orderUid === jit.uid)).toMatchObject([
      { key: 'created', auctionId: null },
      { key: expect.stringContaining('traded'), auctionId },
    ])
    const now = Math.floor(Date.now() / 1000)
    const { candidates } = await selectCandidates(testDatabase.database, chainId, now, 0)
    expect(candidates).toEqual([])
  })

  test('a just-in-time order is removed with its block in a reorganisation, and returns with another settlement', async () => {
    const { jit, auctionId } = await settle()
    await index()
    const before = await dumpChainFacts(testDatabase.database, chainId)
    await chain.reorganise(1)
    await index()
    expect(await selectOrder(testDatabase.database, chainId, jit.uid)).toBeUndefined()
    const during = await dumpChainFacts(testDatabase.database, chainId)
    expect(during.events.filter(({ orderUid }) => orderUid === jit.uid)).toEqual([])
    expect(before.orders).toHaveLength(during.orders.length + 1)
    const [order] = during.orders
    // in another order, so another transaction: one that moved between blocks may fail a step, and the next reads it again
    await chain.settle([fillOf(order as unknown as NewOrder), fillOf(jit, { executedBuy: 1n })], auctionId)
    await index()
    expect(await selectOrder(testDatabase.database, chainId, jit.uid)).toMatchObject({ executedBuyAmount: 1n })
  })
})
