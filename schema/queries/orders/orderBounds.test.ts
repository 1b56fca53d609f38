import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { presignatures } from '../../tables/chain/presignatures.ts'
import { orders } from '../../tables/orders/orders.ts'
import { lockBounds, type OrderBounds, selectCounts, toHolder } from './orderBounds.ts'
import { insertOrder, type NewOrder } from './orders.ts'

const { chainId } = networks.sepolia
const otherChain = 1
const now = 1_900_000_000
const otherOwner: Address = '0x7000000000000000000000000000000000000007'
const bounds: OrderBounds = { now, limitOrders: 2, openOrders: 4, unsignedOfClient: 2, unsignedOrders: 3 }
const amounts = { sellAmount: 500n, buyAmount: 900n } as const
const presign = { signingScheme: 'presign', signature: '0x', submittedBy: '0x01' } as const
const { database, close } = await startTestDatabase()
afterAll(close)
beforeEach(() => emptyDatabase(database))

const put = (seed: number, changes: Partial<NewOrder> = {}) =>
  insertOrder(database, newOrder(seed, { ...amounts, ...changes }))
const place = (seed: number, changes: Partial<NewOrder> = {}, replaced: number | null = null) => {
  const replacement = replaced === null ? null : { uid: orderUidOf(replaced), now }
  return insertOrder(database, newOrder(seed, { ...amounts, ...changes }), replacement, bounds)
}
const exceeded = (field: 'limitOrders' | 'openOrders' | 'unsignedOfClient' | 'unsignedOrders') => ({
  inserted: false,
  stored: null,
  exceeded: { field, limit: bounds[field], open: bounds[field] },
})

test('limits the orders of an owner outside the market, with or without a quote', async () => {
  for (const seed of [1, 2])
    expect(await place(seed, { quoteId: null })).toMatchObject({ inserted: true, exceeded: null })
  expect(await place(3)).toMatchObject(exceeded('limitOrders'))
  expect((await place(4, { class: 'market' })).inserted).toBe(true)
})

test('limits the open orders of an owner, market orders included', async () => {
  for (const seed of [1, 2, 3, 4]) expect((await place(seed, { class: 'market' })).inserted).toBe(true)
  expect(await place(5, { class: 'market' })).toMatchObject(exceeded('openOrders'))
  expect(await place(6, { owner: otherOwner })).toMatchObject({ inserted: true })
})

test('counts only fillable orders that their owner authorised over the API', async () => {
  await put(10)
  const others: Partial<NewOrder>[] = [
    { validTo: now - 1 },
    { cancelledAt: new Date(0) },
    { executedSellAmount: 500n },
    { kind: 'buy', executedBuyAmount: 900n },
    { owner: otherOwner },
    { chainId: otherChain },
    { signingScheme: 'presign', signature: '0x' },
    { onchainUser: otherOwner },
    { jitBlock: 7 },
  ]
  for (const [index, changes] of others.entries())
    await database.insert(orders).values(newOrder(20 + index, { ...amounts, ...changes }))
  expect(await place(1)).toMatchObject({ inserted: true })
  expect(await place(2)).toMatchObject(exceeded('limitOrders'))
})

test.each([
  ['expires this second', { validTo: now }],
  ['is filled in part', { executedSellAmount: 499n }],
  ['signs its fee and was filled up to it', { executedSellAmount: 500n, executedFeeAmount: 1n }],
  ['is presigned', { signingScheme: 'presign', signature: '0x', presigned: true }],
  ['is signed by a contract', { signingScheme: 'eip1271' }],
] satisfies [string, Partial<NewOrder>][])('counts an open order that %s', async (_name, changes) => {
  await put(1)
  await database.insert(orders).values(newOrder(2, { ...amounts, ...changes }))
  expect(await place(3)).toMatchObject(exceeded('limitOrders'))
})

test('a replacement is allowed at the limit', async () => {
  await put(1)
  await put(2)
  expect((await place(3, {}, 1)).inserted).toBe(true)
  expect(await place(4)).toMatchObject(exceeded('limitOrders'))
})

test('a signed order that takes over an unsigned one counts for its owner', async () => {
  await put(1, presign)
  await put(2)
  await put(3)
  expect(await place(1)).toMatchObject({ inserted: false, exceeded: { field: 'limitOrders' } })
  expect((await place(1, { class: 'market' })).inserted).toBe(true)
})

test('limits the unsigned orders of a client for all owners together, without those of other clients and networks', async () => {
  await put(1, presign)
  await put(2, { ...presign, chainId: otherChain })
  await put(3, { ...presign, submittedBy: '0x02' })
  expect((await place(4, { ...presign, owner: otherOwner })).inserted).toBe(true)
  expect(await place(5, presign)).toMatchObject(exceeded('unsignedOfClient'))
})

test('limits the unsigned orders of a network, except those already presigned on-chain', async () => {
  for (const seed of [1, 2, 3])
    expect((await place(seed, { ...presign, submittedBy: `0x0${seed}` })).inserted).toBe(true)
  expect(await place(4, { ...presign, submittedBy: '0x04' })).toMatchObject(exceeded('unsignedOrders'))
  const { uid: orderUid, owner } = newOrder(4)
  const event = { blockNumber: 7, logIndex: 0, owner, orderUid, signed: true }
  await database.insert(presignatures).values({ ...event, chainId: otherChain })
  expect((await place(4, { ...presign, submittedBy: '0x04' })).inserted).toBe(false)
  await database.insert(presignatures).values({ ...event, chainId })
  expect(await place(4, { ...presign, submittedBy: '0x04' })).toMatchObject({
    inserted: true,
    stored: { presigned: true },
  })
})

test('an unsigned order counts for its client until a day after its expiry, unless it is presigned', async () => {
  await put(1, { ...presign, validTo: now - 86_400 })
  await put(2, { ...presign, validTo: now - 86_401 })
  await database.insert(orders).values(newOrder(3, { ...amounts, ...presign, presigned: true }))
  expect((await place(4, presign)).inserted).toBe(true)
  expect(await place(5, presign)).toMatchObject(exceeded('unsignedOfClient'))
})

test('simultaneous submissions exceed no limit', async () => {
  const signed = await Promise.all(Array.from({ length: 12 }, (_, i) => place(i)))
  expect(signed.filter(({ inserted }) => inserted)).toHaveLength(bounds.limitOrders)
  const unsigned = await Promise.all(Array.from({ length: 12 }, (_, i) => place(100 + i, presign)))
  expect(unsigned.filter(({ inserted }) => inserted)).toHaveLength(bounds.unsignedOfClient)
})

test('the counts read at most as many rows as there are open orders', async () => {
  await put(1)
  await put(2, presign)
  const { uid, ...order } = newOrder(1, { ...amounts, executedSellAmount: 500n })
  const closed = Array.from({ length: 4_000 }, (_, i) => ({ ...order, uid: orderUidOf(1_000 + i) }))
  const signed = { ...order, uid, executedSellAmount: 0n }
  for (let i = 0; i < closed.length; i += 1_000) await database.insert(orders).values(closed.slice(i, i + 1_000))
  await database.execute(sql`analyze ${orders}`)
  for (const counted of [signed, { ...signed, ...presign }]) {
    const counts = selectCounts(counted, bounds, sql`null::bytea`)
    const { rows } = await database.execute<{ 'QUERY PLAN': string }>(sql`explain (analyze, buffers) ${counts}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toContain('Seq Scan')
    expect(plan).toContain(counted.signingScheme === 'presign' ? 'orders_count_unsigned' : 'orders_count_open_orders')
    const [, pages] = /Buffers: shared hit=(\d+)/.exec(plan) ?? []
    expect(Number(pages)).toBeLessThan(40)
  }
})

measureRows(lockBounds, (database, h) => lockBounds(database, toHolder(newOrder(1, { chainId: h.chainId }))))
