import { and, eq, sql } from 'drizzle-orm'
import { pad } from 'viem'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { newQuote } from '#test/helpers/database/newQuote.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { presignatures } from '../../tables/chain/presignatures.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { selectCandidates } from '../auctions/selectCandidates.ts'
import { insertPlacedEvents } from '../chain/insertPlacedEvents.ts'
import { insertOnchainOrders } from '../chain/onchainOrders.ts'
import { runBatch } from '../fragments/runBatch.ts'
import { insertQuote } from '../quotes/quotes.ts'
import { recomputeOrders } from './executedOrders.ts'
import { insertOrder, type NewOrder, selectOrder } from './orders.ts'

const { chainId } = networks.sepolia
const otherChain = 1
const placedAt = new Date('2026-01-01T00:00:00Z')
const partner = { recipient: newOrder(0).owner, kind: 'volume', bps: 9, maxVolumeBps: null } as const
const partnerContract = `0x${'c0'.repeat(20)}` as const
const { database, close } = await startTestDatabase()
afterAll(close)
beforeEach(() => emptyDatabase(database))

const unsigned = (changes: Partial<NewOrder> = {}): NewOrder =>
  newOrder(1, { signingScheme: 'presign', signature: '0x', submittedBy: '0x01', createdAt: placedAt, ...changes })
const signed = (changes: Partial<NewOrder> = {}): NewOrder => newOrder(1, { admissionMs: 9, ...changes })
const insert = (order: NewOrder) => insertOrder(database, order)
const read = () => selectOrder(database, chainId, signed().uid)
const readEvents = (chain = chainId as number) =>
  database
    .select({ label: orderEvents.label, reason: orderEvents.reason })
    .from(orderEvents)
    .where(and(eq(orderEvents.chainId, chain), eq(orderEvents.orderUid, signed().uid)))
    .orderBy(orderEvents.id)
const presign = async (isSigned: boolean, logIndex: number, chain: number = chainId) => {
  const { uid: orderUid, owner } = signed()
  const event = { chainId: chain, blockNumber: 7, logIndex, owner, orderUid, signed: isSigned }
  await database.insert(presignatures).values(event)
  await recomputeOrders(database, chain, 7, [])
}

const schemes = ['eip712', 'ethsign', 'eip1271'] as const

test.each(schemes)(
  'an order signed by %s takes over an unsigned one and retains only its creation time and log',
  async (signingScheme) => {
    const [theirs, own] = [await insertQuote(database, newQuote()), await insertQuote(database, newQuote())]
    await insert(unsigned({ quoteId: theirs, referrerCode: 'STRANGER', fullBalanceCheck: true, class: 'market' }))
    await database.insert(orderEvents).values({
      chainId,
      orderUid: signed().uid,
      key: 'invalid:invalid_signature:3',
      label: 'invalid',
      reason: 'invalid_signature',
    })
    const order = signed({ signingScheme, quoteId: own, partnerFees: [partner], referrerCode: 'FRIENDS', validFrom: 5 })
    expect(await insert(order)).toMatchObject({ inserted: true, exceeded: null, stored: { signingScheme } })
    expect(await read()).toMatchObject({
      signingScheme,
      signature: order.signature,
      class: 'limit',
      validFrom: 5,
      partnerFees: [partner],
      fullBalanceCheck: false,
      quoteId: own,
      quote: { quoteId: own },
      createdAt: placedAt,
      version: 2,
    })
    const [row] = await database.select().from(orders)
    expect(row).toMatchObject({ referrerCode: 'FRIENDS', admissionMs: 9, submittedBy: null })
    expect(await readEvents()).toEqual([
      { label: 'created', reason: null },
      { label: 'invalid', reason: 'invalid_signature' },
      { label: 'created', reason: 'unsigned_order_replaced' },
    ])
  },
)

test('an auction reads and judges a taken over order as a new one', async () => {
  await insert(unsigned())
  const now = Math.floor(Date.now() / 1_000)
  const select = async (known?: Parameters<typeof selectCandidates>[4]) =>
    (await selectCandidates(database, chainId, now, 0, known)).candidates
  const before = await select()
  await insert(signed())
  const after = await select(new Map(before.map((candidate) => [candidate.order.uid, candidate])))
  expect(after).toMatchObject([{ order: { signingScheme: 'eip712' }, newestLabel: 'created', version: 2 }])
})

test('a signed order without a quote removes the quote of the unsigned one', async () => {
  await insert(unsigned({ quoteId: await insertQuote(database, newQuote()) }))
  await insert(signed())
  expect(await read()).toMatchObject({ quoteId: null, quote: null })
  expect(await database.select().from(orderQuotes)).toEqual([])
})

test('an unsigned order takes over neither a signed nor an unsigned one', async () => {
  await insert(signed())
  const before = await read()
  expect(await insert(unsigned())).toMatchObject({ inserted: false, stored: { signingScheme: 'eip712' } })
  expect(await read()).toEqual(before)
  await emptyDatabase(database)
  await insert(unsigned())
  expect(await insert(unsigned({ submittedBy: '0x02' }))).toMatchObject({ inserted: false })
  expect(await database.select().from(orders)).toMatchObject([{ submittedBy: '0x01', version: 1 }])
  expect(await readEvents()).toHaveLength(1)
})

test('a signed order takes over no signed one', async () => {
  await insert(signed())
  expect(await insert(signed({ signingScheme: 'eip1271', signature: '0x12' }))).toMatchObject({ inserted: false })
  expect(await read()).toMatchObject({ signingScheme: 'eip712', version: 1 })
})

describe('a pre-signature on-chain', () => {
  test('authorises the row, and no submission takes it over', async () => {
    await insert(unsigned())
    await presign(true, 0)
    expect(await insert(signed())).toMatchObject({ inserted: false, stored: { presigned: true } })
    expect(await read()).toMatchObject({ signingScheme: 'presign', presigned: true })
  })

  test('that was revoked leaves an unsigned row, and a signature takes it over with its executed amounts', async () => {
    await insert(unsigned())
    await presign(true, 0)
    const { uid: orderUid, owner, sellToken, buyToken } = signed()
    const trade = { chainId, blockNumber: 7, owner, sellToken, buyToken, sellAmount: 3n, buyAmount: 2n, feeAmount: 0n }
    const place = { logIndex: 5, settlementLogIndex: 6, transactionHash: `0x${'7a'.repeat(32)}` } as const
    await database.insert(trades).values({ ...trade, ...place, orderUid })
    await presign(false, 9)
    expect(await read()).toMatchObject({ presigned: false, executedSellAmount: 3n })
    expect((await insert(signed())).inserted).toBe(true)
    expect(await read()).toMatchObject({ signingScheme: 'eip712', executedSellAmount: 3n, executedBuyAmount: 2n })
  })

  test('on another network counts only there', async () => {
    await insert(unsigned())
    await presign(true, 0, otherChain)
    expect((await insert(signed())).inserted).toBe(true)
  })
})

test('an order ended by its owner stays ended', async () => {
  await insert(unsigned())
  const { uid: orderUid, owner } = signed()
  await database
    .insert(invalidations)
    .values({ chainId, blockNumber: 9, logIndex: 0, transactionHash: pad('0x9'), orderUid, owner })
  await recomputeOrders(database, chainId, 9, [])
  expect(await insert(signed())).toMatchObject({ inserted: false, stored: { invalidated: true } })
  await emptyDatabase(database)
  await insert(unsigned({ cancelledAt: placedAt }))
  expect(await insert(signed())).toMatchObject({ inserted: false, stored: { cancelledAt: placedAt } })
})

test('any submission takes over a row whose placement a reorganisation undid', async () => {
  const undone = { onchainUser: signed().owner, userValidTo: 9, placementError: 'reorged' } as const
  for (const order of [signed(), unsigned()]) {
    await emptyDatabase(database)
    await database.insert(orders).values(signed({ signingScheme: 'eip1271', ...undone }))
    expect((await insert(order)).inserted).toBe(true)
    expect(await read()).toMatchObject({
      signingScheme: order.signingScheme,
      onchainUser: null,
      userValidTo: null,
      placementError: null,
    })
  }
})

test('a signature takes over a row placed on-chain that waits for its pre-signature, and reading the block again changes nothing', async () => {
  const { uid: orderUid, owner } = signed()
  const placement = { blockNumber: 7, logIndex: 0, orderUid, contract: partnerContract, sender: owner, placedAt }
  const { chainId: _, fullAppData: __, ...placedOrder } = unsigned({ submittedBy: null, onchainUser: owner })
  const readBlock = () =>
    runBatch(database, [
      ...insertOnchainOrders(database, chainId, {
        placements: [placement],
        placedOrders: [placedOrder],
        cancellations: [],
        refunds: [],
      }),
      insertPlacedEvents(database, chainId, 7),
      recomputeOrders(database, chainId, 7, []),
    ])
  await readBlock()
  expect(await read()).toMatchObject({ signingScheme: 'presign', onchainUser: owner })
  expect((await insert(signed())).inserted).toBe(true)
  const before = await read()
  expect(before).toMatchObject({ signingScheme: 'eip712', onchainUser: null, placementError: null })
  await readBlock()
  expect(await read()).toEqual(before)
})

test('a row of another network is another order', async () => {
  await insert(unsigned({ chainId: otherChain }))
  await insert(unsigned())
  expect((await insert(signed())).inserted).toBe(true)
  const rows = await database.select().from(orders).orderBy(orders.chainId)
  expect(rows).toMatchObject([
    { chainId: otherChain, signingScheme: 'presign', submittedBy: '0x01', version: 1 },
    { chainId, signingScheme: 'eip712', version: 2 },
  ])
  expect(await readEvents(otherChain)).toEqual([{ label: 'created', reason: null }])
})

test('simultaneous signed and unsigned submissions end with the signed one in any order', async () => {
  for (let round = 0; round < 5; round++) {
    await emptyDatabase(database)
    const quoteId = await insertQuote(database, newQuote())
    const submissions = Array.from({ length: 9 }, (_, i) => (i % 9 === round ? signed() : unsigned({ quoteId })))
    const outcomes = await Promise.all(submissions.map(insert))
    expect(outcomes[round]?.inserted).toBe(true)
    expect(outcomes.filter(({ inserted }) => inserted).length).toBeLessThanOrEqual(2)
    expect(await read()).toMatchObject({ signingScheme: 'eip712', signature: signed().signature, quote: null })
    expect(await database.select({ count: sql`count(*)::integer` }).from(orderQuotes)).toEqual([{ count: 0 }])
  }
})

test.each([
  ['of the block', placedAt, placedAt],
  ['of reading, when the time of the block is ahead', new Date(Date.now() + 3_600_000), undefined],
])('the creation of an order placed on-chain has the time %s', async (_, placedAt, expected) => {
  const { uid: orderUid, owner } = signed()
  const placement = { blockNumber: 7, logIndex: 0, orderUid, contract: partnerContract, sender: owner, placedAt }
  const {
    chainId: _chain,
    fullAppData: _document,
    ...placedOrder
  } = unsigned({ submittedBy: null, onchainUser: owner })
  const events = { placements: [placement], placedOrders: [placedOrder], cancellations: [], refunds: [] }
  await runBatch(database, [
    ...insertOnchainOrders(database, chainId, events),
    insertPlacedEvents(database, chainId, 7),
  ])
  const [created] = await database
    .select({ label: orderEvents.label, at: orderEvents.createdAt, isPast: sql`created_at <= now()` })
    .from(orderEvents)
  expect(created).toMatchObject({ label: 'created', isPast: true, ...(expected && { at: expected }) })
})
