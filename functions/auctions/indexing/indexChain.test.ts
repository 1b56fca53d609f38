import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { selectBlocks, storedBlocks } from '#schema/queries/chain/blocks.ts'
import { insertOrder, type NewOrder, selectOrder } from '#schema/queries/orders/orders.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { executions } from '#schema/tables/settlements/executions.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlementFailures } from '#schema/tables/settlements/settlementFailures.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { networks } from '#shared/networks.ts'
import { dumpChainFacts } from '#test/helpers/chain/dumpChainFacts.ts'
import { type SettledFill, type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { buildIndexDeps } from '#test/helpers/database/indexDeps.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { winAuction } from '#test/helpers/solvers/winAuction.ts'
import { createIndexState, indexChain } from './indexChain.ts'

const network = networks.sepolia
const { chainId } = network

let chain: SettlementChain
let testDatabase: TestDatabase
let startBlock: number
let state = createIndexState()
let seed = 0

beforeAll(async () => {
  ;[chain, testDatabase] = await Promise.all([startSettlementChain(), startTestDatabase()])
})

afterAll(async () => {
  await chain?.stop()
  await testDatabase?.close()
})

beforeEach(async () => {
  await emptyDatabase(testDatabase.database)
  startBlock = Number(await chain.client.getBlockNumber()) + 1
  await chain.mine(1)
  state = createIndexState()
})

const buildDeps = () => buildIndexDeps(testDatabase.database, chain.client, startBlock)
const index = () => indexChain(buildDeps(), state)

const place = async (changes: Partial<NewOrder> = {}): Promise<NewOrder> => {
  seed += 1
  const order = chain.buildOrder(seed, changes)
  await insertOrder(testDatabase.database, order)
  return order
}
const find = async ({ uid }: NewOrder) => {
  const order = await selectOrder(testDatabase.database, chainId, uid)
  if (!order) throw new Error('no order')
  return order
}
const labelsOf = async ({ uid }: NewOrder) =>
  (
    await testDatabase.database
      .select({ label: orderEvents.label, auctionId: orderEvents.auctionId })
      .from(orderEvents)
      .where(eq(orderEvents.orderUid, uid))
      .orderBy(orderEvents.id)
  ).map(({ label, auctionId }) => (auctionId === null ? label : `${label} in ${auctionId}`))

/** An auction that the solver won with `fills`, and its running attempt. */
const win = (fills: SettledFill[], deadlineBlock: number, prices = {}): Promise<number> =>
  winAuction(testDatabase.database, { solver: chain.solver, fills, deadlineBlock, block: startBlock, prices })
const outcomes = async () =>
  (await testDatabase.database.select().from(settlementAttempts).orderBy(settlementAttempts.auctionId)).map(
    ({ outcome }) => outcome,
  )

const failures = () => testDatabase.database.select().from(settlementFailures)

const dump = () => dumpChainFacts(testDatabase.database, chainId)
/** Without checkpoints, which depend on the chunks. */
const dumpNewest = async () => {
  const { blocks, ...facts } = await dump()
  return { ...facts, blocks: blocks.slice(-storedBlocks) }
}

/** The database is what it would be if the same orders were placed now and the chain read once, from the start. */
const expectSameAsFresh = async (placed: NewOrder[]) => {
  const before = await dumpNewest()
  await emptyDatabase(testDatabase.database)
  for (const order of placed) await insertOrder(testDatabase.database, order)
  await indexChain(buildDeps(), createIndexState())
  expect(await dumpNewest()).toEqual(before)
}

describe('indexChain', () => {
  test('takes pre-signatures and invalidations in the block they appear in, each change one version', async () => {
    const [signed, withdrawn, invalidated] = [await place(), await place(), await place()]
    await chain.presign(signed.uid)
    await chain.presign(withdrawn.uid)
    await index()
    expect(await find(signed)).toMatchObject({ presigned: true, version: 2 })
    expect(await find(withdrawn)).toMatchObject({ presigned: true, version: 2 })
    await chain.presign(withdrawn.uid, false)
    await chain.invalidate(invalidated.uid)
    const { head, caughtUp } = await index()
    expect(await find(signed)).toMatchObject({ presigned: true, version: 2 })
    expect(await find(withdrawn)).toMatchObject({ presigned: false, version: 3 })
    expect(await find(invalidated)).toMatchObject({ invalidated: true, version: 2 })
    expect(await labelsOf(invalidated)).toEqual(['created', 'cancelled'])
    expect(caughtUp).toBe(true)
    expect(head.number).toBe(Number(await chain.client.getBlockNumber()))
    expect((await selectBlocks(testDatabase.database, chainId)).at(-1)).toEqual(head)
  })

  test('attributes a settlement to its auction: amounts, fee, event, outcome', async () => {
    const order = await place({ partiallyFillable: true })
    await chain.presign(order.uid)
    await index()
    const fill = { order, executedSell: 400n, executedBuy: 1300n, uniformSell: 390n }
    const auctionId = await win([fill], 10_000)
    await index()
    expect(await outcomes()).toEqual([null])
    await chain.settle([fill], auctionId)
    await index()
    expect(await find(order)).toMatchObject({
      executedSellAmount: 400n,
      executedBuyAmount: 1300n,
      executedFeeAmount: 0n,
      executedFee: 10n,
    })
    expect(await labelsOf(order)).toEqual(['created', `executing in ${auctionId}`, `traded in ${auctionId}`])
    expect(await outcomes()).toEqual(['success'])
    const receipt = await chain.client.getBlock({ includeTransactions: true })
    expect(await testDatabase.database.select().from(settlements)).toMatchObject([
      { auctionId, solutionUid: 0, solver: chain.solver, transactionHash: receipt.transactions[0]?.hash },
    ])
    expect(await testDatabase.database.select().from(executions)).toEqual([
      {
        chainId,
        auctionId,
        orderUid: order.uid,
        blockNumber: Number(receipt.number),
        executedFee: 10n,
        executedFeeToken: order.sellToken,
        protocolFees: [],
      },
    ])
  })

  test('counts foreign settlements, but to no auction: without an id, or of another solver', async () => {
    const order = await place({ partiallyFillable: true })
    await chain.presign(order.uid)
    const fill = { order, executedSell: 400n, executedBuy: 1300n }
    const stranger = `0x${'5b'.repeat(20)}` as const
    const block = { deadlineBlock: 10_000, block: startBlock }
    const auctionId = await winAuction(testDatabase.database, { solver: stranger, fills: [fill], ...block })
    await chain.settle([{ order, executedSell: 100n, executedBuy: 300n }])
    await chain.settle([fill], auctionId)
    await index()
    expect(await find(order)).toMatchObject({ executedSellAmount: 500n, executedBuyAmount: 1600n, executedFee: 0n })
    expect(await labelsOf(order)).toEqual(['created', `executing in ${auctionId}`, 'traded', 'traded'])
    expect(await outcomes()).toEqual([null])
    expect((await testDatabase.database.select().from(settlements)).map((settlement) => settlement.auctionId)).toEqual([
      null,
      null,
    ])
  })

  test('records a settlement below the promise as a mismatch with both amounts and the debt in wei, never as a timeout', async () => {
    const order = await place({ partiallyFillable: true })
    await chain.presign(order.uid)
    const { head } = await index()
    const fill = { order, executedSell: 400n, executedBuy: 1300n, uniformSell: 390n }
    // 3 wei per atom
    const auctionId = await win([fill], head.number + 2, { [order.buyToken]: String(3n * 10n ** 18n) })
    await chain.settle([{ ...fill, executedBuy: 1299n }], auctionId)
    await chain.mine(5)
    await index()
    expect(await outcomes()).toEqual(['mismatch'])
    expect(await labelsOf(order)).toEqual(['created', `executing in ${auctionId}`, `traded in ${auctionId}`])
    expect(await testDatabase.database.select().from(executions)).toMatchObject([{ auctionId, orderUid: order.uid }])
    const [settlement] = await testDatabase.database.select().from(settlements)
    const promised = { sellAmount: '400', buyAmount: '1300' }
    const settled = { sellAmount: '400', buyAmount: '1299' }
    expect(settlement).toMatchObject({ auctionId, mismatch: [{ orderUid: order.uid, promised, settled, debt: '3' }] })
    const [attempt] = await testDatabase.database.select().from(settlementAttempts)
    expect(attempt?.blame).toMatchObject({ party: 'solver', debt: '3' })
    expect(await failures()).toMatchObject([{ orderUid: order.uid, failures: 1, lastOutcome: 'mismatch' }])
    await index()
    state = createIndexState()
    await chain.mine(1)
    await index()
    expect(await failures()).toMatchObject([{ failures: 1 }])
  })

  test('a settlement of a win below its promise is a mismatch also without the id, or with that of another auction', async () => {
    const [first, second] = [await place(), await place()]
    for (const { uid } of [first, second]) await chain.presign(uid)
    const { head } = await index()
    const fills = [first, second].map((order) => ({ order, executedSell: 1000n, executedBuy: 3100n }))
    for (const fill of fills) await win([fill], head.number + 5)
    const [one, two] = fills.map((fill) => ({ ...fill, executedBuy: 3000n }))
    if (!one || !two) throw new Error('no fills')
    await chain.settle([one])
    await chain.settle([two], 987_654_321)
    await index()
    expect(await outcomes()).toEqual(['mismatch', 'mismatch'])
  })

  test('takes a mismatch back in a reorganisation, and decides anew by what comes instead', async () => {
    const order = await place()
    await chain.presign(order.uid)
    await index()
    const fill = { order, executedSell: 1000n, executedBuy: 3100n }
    const auctionId = await win([fill], 10_000)
    await chain.settle([{ ...fill, executedBuy: 3000n }], auctionId)
    await index()
    expect(await outcomes()).toEqual(['mismatch'])
    await chain.reorganise(1)
    await index()
    expect(await outcomes()).toEqual([null])
    expect(await failures()).toEqual([])
    await chain.settle([fill], auctionId)
    await index()
    expect(await outcomes()).toEqual(['success'])
    expect(await failures()).toEqual([])
  })

  test('a mismatch after the deadline has the last word over the timeout and counts once', async () => {
    const order = await place({ partiallyFillable: true })
    await chain.presign(order.uid)
    const { head } = await index()
    const fill = { order, executedSell: 400n, executedBuy: 1300n }
    const auctionId = await win([fill], head.number + 1)
    await chain.mine(2)
    await index()
    expect(await outcomes()).toEqual(['timeout'])
    await chain.settle([{ ...fill, executedBuy: 1200n }], auctionId)
    await index()
    expect(await outcomes()).toEqual(['mismatch'])
    expect((await failures()).map(({ failures: count }) => count).every((count) => count <= 1)).toBe(true)
  })

  test('stores the first replaced block of a reorganisation for running and undone attempts only', async () => {
    const [settled, running, old] = [await place(), await place(), await place()]
    for (const { uid } of [settled, running, old]) await chain.presign(uid)
    await index()
    const toFill = (order: NewOrder) => ({ order, executedSell: 1000n, executedBuy: 3000n })
    const undoneFrom = async () =>
      (await testDatabase.database.select().from(settlementAttempts).orderBy(settlementAttempts.auctionId)).map(
        (attempt) => attempt.undoneFrom,
      )
    const early = await win([toFill(old)], 10_000)
    await chain.settle([toFill(old)], early)
    await chain.mine(2)
    const auctionId = await win([toFill(settled)], 10_000)
    await win([toFill(running)], 10_000)
    // of another network, with the highest id
    const foreign = { chainId: networks.gnosis.chainId, auctionId: 1_000_000, solutionUid: 0, solver: chain.solver }
    await testDatabase.database.insert(settlementAttempts).values({ ...foreign, startBlock: 0, deadlineBlock: 10_000 })
    await chain.settle([toFill(settled)], auctionId)
    const { head } = await index()
    expect(await undoneFrom()).toEqual([null, null, null, null])
    await chain.reorganise(1)
    await index()
    expect(await undoneFrom()).toEqual([null, head.number, head.number, null])
    await chain.reorganise(2)
    await index()
    expect(await undoneFrom()).toEqual([null, head.number - 1, head.number - 1, null])
    expect(await outcomes()).toEqual(['success', null, null, null])
  })

  test('undoes what a reorganisation replaced and ends where a fresh start ends', async () => {
    const [filled, invalidated, late] = [await place(), await place(), await place()]
    await chain.presign(filled.uid)
    await index()
    const fill = { order: filled, executedSell: 1000n, executedBuy: 3000n }
    const auctionId = await win([fill], 10_000)
    await chain.settle([fill], auctionId)
    await chain.invalidate(invalidated.uid)
    await chain.presign(late.uid)
    await index()
    expect(await find(filled)).toMatchObject({ executedSellAmount: 1000n })
    expect(await outcomes()).toEqual(['success'])

    await chain.reorganise(3)
    await index()
    expect(await find(filled)).toMatchObject({ executedSellAmount: 0n, executedBuyAmount: 0n, presigned: true })
    expect(await find(invalidated)).toMatchObject({ invalidated: false })
    expect(await find(late)).toMatchObject({ presigned: false })
    expect(await labelsOf(filled)).toEqual(['created', `executing in ${auctionId}`, 'undone'])
    expect(await labelsOf(invalidated)).toEqual(['created', 'undone'])
    expect(await outcomes()).toEqual([null])
    expect(await testDatabase.database.select().from(executions)).toEqual([])

    await chain.settle([fill], auctionId)
    await index()
    expect(await find(filled)).toMatchObject({ executedSellAmount: 1000n })
    expect(await outcomes()).toEqual(['success'])
    const { head } = await index()
    expect(head.hash).toBe((await chain.client.getBlock()).hash)
  })

  test('detects a reorganisation between two calls that is deeper than the new blocks', async () => {
    const order = await place()
    await chain.mine(3)
    await chain.presign(order.uid)
    await index()
    await chain.reorganise(3)
    await chain.mine(2)
    await chain.presign(order.uid)
    await chain.presign(order.uid, false)
    state = createIndexState()
    await index()
    expect(await find(order)).toMatchObject({ presigned: false })
    await expectSameAsFresh([order])
  })

  test('changes nothing when it runs again, with or without its state', async () => {
    const order = await place({ partiallyFillable: true })
    await chain.presign(order.uid)
    await chain.settle([{ order, executedSell: 100n, executedBuy: 300n }])
    await index()
    const before = await dump()
    const { version } = await find(order)
    await index()
    state = createIndexState()
    await index()
    await chain.mine(1)
    await index()
    const { blocks, ...after } = await dump()
    expect({ ...after, blocks: before.blocks }).toEqual(before)
    expect((await find(order)).version).toBe(version)
    expect(blocks).toHaveLength(before.blocks.length + 1)
  })

  test('catches up in chunks and stores the newest 64 blocks and a checkpoint', async () => {
    const order = await place()
    await chain.presign(order.uid)
    await chain.mine(70)
    state.chunkSize = 40
    expect(await index()).toMatchObject({ caughtUp: false, blocks: 40 })
    expect(state.chunkSize).toBe(50)
    expect((await index()).caughtUp).toBe(true)
    const kept = await selectBlocks(testDatabase.database, chainId)
    const head = Number(await chain.client.getBlockNumber())
    expect(kept.slice(-64).map(({ number }) => number)).toEqual(Array.from({ length: 64 }, (_, i) => head - 63 + i))
    expect(kept).toHaveLength(65)
    expect(kept.at(-1)?.number).toBe(Number(await chain.client.getBlockNumber()))
    await expectSameAsFresh([order])
  })

  test('dates a settlement with its block, however long ago that was', async () => {
    const order = await place({ partiallyFillable: true })
    await chain.presign(order.uid)
    const dates: Date[] = []
    for (const executedSell of [100n, 200n]) {
      await chain.settle([{ order, executedSell, executedBuy: 3n * executedSell }])
      dates.push(new Date(Number((await chain.client.getBlock()).timestamp) * 1_000))
      await chain.mine(65)
    }
    await index()
    const found = await testDatabase.database.select().from(settlements).orderBy(settlements.blockNumber)
    expect(found.map(({ settledAt }) => settledAt)).toEqual(dates)
  })

  test('finds the events of an order that is placed a little later than they happened', async () => {
    seed += 1
    const order = chain.buildOrder(seed)
    await chain.presign(order.uid)
    await index()
    await insertOrder(testDatabase.database, order)
    await chain.mine(1)
    await index()
    expect(await find(order)).toMatchObject({ presigned: true })
  })

  test('begins at the head of a long chain and mistakes no lagging node for a reorganisation', async () => {
    const logged: unknown[] = []
    const deps = { ...buildDeps(), startBlock: 1_000_000_000, log: (entry: unknown) => logged.push(entry) }
    const first = await indexChain(deps, state)
    expect(await selectBlocks(testDatabase.database, chainId)).toEqual([first.head])
    await chain.mine(3)
    const second = await indexChain(deps, state)
    const lagging = {
      getBlock: (args: Parameters<typeof chain.client.getBlock>[0]) =>
        chain.client.getBlock(
          args?.blockTag === 'latest' ? { blockNumber: BigInt(second.head.number - 2) } : (args as never),
        ),
    } as unknown as typeof chain.client
    expect(await indexChain({ ...deps, chain: lagging }, state)).toEqual({
      head: second.head,
      caughtUp: true,
      blocks: 0,
    })
    expect((await selectBlocks(testDatabase.database, chainId)).at(-1)).toEqual(second.head)
    expect(logged).toEqual([])
  })

  test('leaves everything as it was when the node fails, and requests less next time', async () => {
    const order = await place()
    await index()
    await chain.presign(order.uid)
    const before = await dump()
    const failing = Object.assign(Object.create(chain.client), {
      getLogs: () => Promise.reject(new Error('query returned more than 10000 results')),
    })
    await expect(indexChain({ ...buildDeps(), chain: failing }, state)).rejects.toThrow('more than 10000 results')
    expect(await dump()).toEqual(before)
    expect(state.chunkSize).toBe(250)
    await index()
    expect(await find(order)).toMatchObject({ presigned: true })
  })
})
