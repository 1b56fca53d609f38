import { and, asc, eq } from 'drizzle-orm'
import { concat, type Hex, numberToHex, pad } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { noEvents } from '../chain/chainUpdate.ts'
import { updateChain } from '../chain/updateChain.ts'
import { selectNotifications } from '../notifications/selectNotifications.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectConditionalOrder } from './conditionalOrderPages.ts'
import { insertPart } from './conditionalParts.ts'
import type { ConditionalOrderRow } from './insertConditionalEvents.ts'
import { insertPostedOrders } from './insertPostedOrders.ts'
import { type ConditionalChange, endRemoved, type StoredVerdict, storeVerdicts } from './storeVerdicts.ts'

const { chainId } = networks.sepolia
const [owner, hash] = [pad('0xaa', { size: 20 }), pad('0xbb')]
const { database, close } = await startTestDatabase()
let number = 10

afterAll(close)
beforeEach(async () => {
  await emptyDatabase(database)
  number = 10
})

const blockOf = (of: number) => ({ number: of, hash: numberToHex(of, { size: 32 }), timestamp: new Date(of * 1_000) })
const row = (changes: Partial<ConditionalOrderRow> = {}): ConditionalOrderRow => ({
  ...{ owner, hash, handler: owner, salt: hash, staticInput: '0x', proof: [] },
  ...{ blockNumber: number, logIndex: 3, transactionHash: pad('0xcc'), ...changes },
})
/** Indexes the next block, in which these orders are authorised. */
const index = async (created: ConditionalOrderRow[] = [], undoFrom: number | null = null, root = false) => {
  number += 1
  const events = created.map((each) => ({ ...each, blockNumber: number }))
  const roots = root ? [{ owner, blockNumber: number }] : []
  const range = { fromBlock: number, toBlock: number, blocks: [blockOf(number)], undoFrom }
  await updateChain(database, chainId, { ...noEvents, ...range, conditional: { created: events, roots } })
}
/** Stores the outcome of an evaluation at the newest block. */
const judge = async (change: ConditionalChange | null, changes: Partial<StoredVerdict> = {}) => {
  const [stored] = await database.select().from(conditionalOrders)
  const verdict: StoredVerdict = {
    ...{ owner, hash, state: change?.label === 'ended' ? 'ended' : 'open', nextBlock: 0, nextTime: 0, failures: 0 },
    ...{ unfilled: 0, verdict: { reason: 'notYet', message: 'words' }, partUid: null },
    ...{ judgedBlock: stored?.judgedBlock ?? null, change, ...changes },
  }
  await storeVerdicts(database, chainId, blockOf(number), [verdict])
}
const list = async () =>
  (
    await database
      .select()
      .from(orderEvents)
      .where(and(eq(orderEvents.chainId, chainId), eq(orderEvents.orderUid, concat([owner, hash]))))
      .orderBy(asc(orderEvents.id))
  ).map(({ label, reason }) => (reason === null ? label : `${label} ${reason}`))
const place = async (n: number): Promise<Hex> => {
  const order = newOrder(n, { owner })
  await insertOrder(database, order, null, null, null, [
    insertPart(database, chainId, { owner, hash }, { uid: order.uid, placedBlock: number }),
  ])
  return order.uid
}
/** Settles a placed order in the next block. */
const fill = async (n: number) => {
  number += 1
  const { uid: orderUid, sellToken, buyToken, sellAmount, buyAmount } = newOrder(n, { owner })
  const terms = { orderUid, owner, sellToken, buyToken, sellAmount, buyAmount, feeAmount: 0n }
  const range = { fromBlock: number, toBlock: number, blocks: [blockOf(number)], undoFrom: null }
  const trades = [newTrade(number, { logIndex: n, ...terms })]
  await updateChain(database, chainId, { ...noEvents, ...range, trades })
}
const finished = (partCount: number | null = null) => ({ label: 'ended', reason: 'finished', partCount }) as const

test('an authorisation and an end are one event each, in the block that a reorganisation undoes', async () => {
  await index([row()])
  await judge({ label: 'opened' })
  await index([row()])
  await judge(null)
  expect(await list()).toEqual(['opened'])
  await index()
  await judge(finished())
  const [, end] = await database.select().from(orderEvents).orderBy(asc(orderEvents.id))
  expect(end).toMatchObject({ label: 'ended', reason: 'expired', blockNumber: number, data: { message: 'words' } })
  // the evaluation of a block that was replaced meanwhile writes neither the outcome nor the event
  await index([], number)
  expect(await list()).toEqual(['opened', 'undone'])
  await judge(finished())
  expect(await list()).toEqual(['opened', 'undone', 'ended expired'])
  await index([], 11)
  expect(await list()).toEqual(['undone', 'undone', 'undone'])
  expect(await database.select().from(conditionalOrders)).toEqual([])
})

test('an order is completed when all parts of its terms are filled, else it expires', async () => {
  await index([row()])
  for (const n of [1, 2]) {
    await place(n)
    await fill(n)
  }
  await judge(finished(3))
  await index([row()])
  await judge(finished(2))
  await index([row()])
  await place(3)
  await judge(finished())
  await index([row()])
  await judge({ label: 'ended', reason: 'failed', partCount: null })
  const ends = (await list()).filter((event) => event !== 'opened')
  expect(ends).toEqual(['ended expired', 'ended completed', 'ended expired', 'ended failed'])
})

test('the end of one with parts notifies its owner once, and a reorganisation retracts it', async () => {
  const findEnds = async () => {
    const rows = await selectNotifications(database, owner, { limit: 100 })
    return rows.flatMap(({ type, orderUid, facts: { conditional } }) =>
      type === 'conditional_order_ended' ? [{ orderUid, ...conditional }] : [],
    )
  }
  await index([row()])
  await judge(finished())
  expect(await findEnds()).toEqual([])
  await index([row()])
  const orderUid = await place(1)
  await judge({ label: 'opened' }, { partUid: orderUid })
  await index()
  await judge(finished())
  expect(await findEnds()).toEqual([{ orderUid, hash, reason: 'expired' }])
  await index([], number)
  expect(await findEnds()).toEqual([])
  await endRemoved(database, chainId, blockOf(number), [{ owner, hash, judgedBlock: null }])
  expect(await findEnds()).toEqual([{ orderUid, hash, reason: 'cancelled' }])
})

test('a reorganisation that replaces the creation after a part was settled leaves the part, which fills again', async () => {
  await index([row()])
  const partUid = await place(1)
  await judge({ label: 'opened' }, { partUid })
  await fill(1)
  const find = async () => {
    const found = await selectConditionalOrder(database, chainId, { owner, hash })
    return found && { partUid: found.order.partUid, parts: found.parts.map(({ uid, isFilled }) => ({ uid, isFilled })) }
  }
  expect(await find()).toEqual({ partUid, parts: [{ uid: partUid, isFilled: true }] })
  await index([row()], 11)
  expect(await find()).toEqual({ partUid: null, parts: [{ uid: partUid, isFilled: false }] })
  await judge({ label: 'opened' }, { partUid })
  await fill(1)
  await judge(finished(1))
  expect(await list()).toEqual(['undone', 'opened', 'ended completed'])
})

test('an order of a posted proof has events from its first part on', async () => {
  const posted = row({ proof: [hash], transactionHash: null })
  await index()
  await insertPostedOrders(database, chainId, [{ ...posted, blockNumber: number }], 10)
  await judge({ label: 'opened' })
  await index()
  await judge(finished())
  expect(await list()).toEqual([])
  await insertPostedOrders(database, chainId, [{ ...posted, blockNumber: number }], 10)
  await judge({ label: 'opened' }, { partUid: await place(1) })
  await index()
  await judge({ label: 'ended', reason: 'cancelled', partCount: null })
  expect(await list()).toEqual(['opened', 'ended cancelled'])
})

test('a slowed order is logged again after a trade, and after a reorganisation', async () => {
  await index([row()])
  await index()
  const slowed = (isRepeated: boolean) => judge({ label: 'slowed', isRepeated })
  await slowed(true)
  await index()
  await slowed(false)
  expect(await list()).toEqual(['opened', 'slowed'])
  await index()
  await slowed(true)
  await index([], number)
  await slowed(false)
  expect(await list()).toEqual(['opened', 'slowed', 'undone'])
  await index([], number - 3)
  await slowed(false)
  expect((await list()).filter((event) => event === 'slowed')).toHaveLength(1)
})

test('an owner who replaces the merkle root in each block has 50 events', async () => {
  await index([row({ proof: [hash] })])
  for (let i = 0; i < 60; i++) {
    await judge({ label: 'ended', reason: 'cancelled', partCount: null })
    await index([], null, true)
    await judge({ label: 'opened' })
    await index([], null, true)
  }
  expect(await list()).toHaveLength(50)
  // a root that leaves the order out again is no change
  await judge({ label: 'opened' })
  await index()
  await endRemoved(database, chainId, blockOf(number), [{ owner, hash, judgedBlock: number - 1 }])
  expect((await database.select().from(conditionalOrders))[0]).toMatchObject({ state: 'ended' })
  expect(await list()).toHaveLength(50)
})
