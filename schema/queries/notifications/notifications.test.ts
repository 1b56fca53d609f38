import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { type Hex, pad, toHex, zeroAddress } from 'viem'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newNotification } from '#test/helpers/database/newNotification.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { newQuote } from '#test/helpers/database/newQuote.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import type { Database } from '../../client.ts'
import { notificationType } from '../../tables/enums.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { type ChainUpdate, noEvents } from '../chain/chainUpdate.ts'
import { updateChain } from '../chain/updateChain.ts'
import { insertTransitions } from '../events/orderTransitions.ts'
import { updateCancelledOrders } from '../orders/cancellations.ts'
import { insertOrder, type NewOrder } from '../orders/orders.ts'
import { insertQuote } from '../quotes/quotes.ts'
import { retractNotifications } from './retractNotifications.ts'
import { selectNotifications } from './selectNotifications.ts'

const { chainId } = networks.sepolia
const genesis = 1_900_000_000
const secondsPerBlock = 12
const { database, close } = await startTestDatabase()
let seed = 0
let block = 0

afterAll(close)
beforeEach(async () => {
  await emptyDatabase(database)
  block = 0
  await advance()
})

const timeOf = (number: number) => genesis + number * secondsPerBlock
/** The next block, after the blocks from `undoFrom` on are replaced. */
const advance = async (events: Partial<ChainUpdate> = {}, undoFrom: number | null = null) => {
  block = undoFrom ?? block + 1
  const header = {
    number: block,
    hash: hashOf(block * 10 + (undoFrom ? 1 : 0)),
    timestamp: new Date(timeOf(block) * 1_000),
  }
  const update = { ...noEvents, ...events, fromBlock: block, toBlock: block, blocks: [header], undoFrom }
  await updateChain(database, chainId, update)
}
const hashOf = (number: number): Hex => pad(toHex(number), { size: 32 })

const place = async (changes: Partial<NewOrder> = {}): Promise<NewOrder> => {
  seed += 1
  const order = newOrder(seed, { sellAmount: 1_000n, buyAmount: 3_000n, ...changes })
  await insertOrder(database, order)
  return order
}
const toTrade = (order: NewOrder, sellAmount: bigint, buyAmount: bigint, { transaction = 7, logIndex = 1 } = {}) => {
  const { uid: orderUid, owner, sellToken, buyToken } = order
  const terms = { orderUid, owner, sellToken, buyToken, sellAmount, buyAmount }
  return newTrade(block + 1, { ...terms, logIndex, transactionHash: hashOf(transaction), settlementLogIndex: 99 })
}
const list = (account = newOrder(1).owner) => selectNotifications(database, account, { limit: 100 })
const types = async () => (await list()).map(({ type }) => type).toReversed()
const rows = () => database.select().from(notifications).orderBy(notifications.id)

describe('a trade', () => {
  test('notifies of each partial fill with the amounts so far, then of the fill', async () => {
    const order = await place({ partiallyFillable: true })
    await advance({ trades: [toTrade(order, 400n, 1_200n)] })
    await advance({ trades: [toTrade(order, 100n, 300n), toTrade(order, 500n, 1_500n, { logIndex: 2 })] })
    const [filled, second, first] = await list()
    expect(first).toMatchObject({
      type: 'order_partially_filled',
      chainId,
      account: order.owner,
      orderUid: order.uid,
      facts: {
        kind: 'sell',
        sellToken: order.sellToken,
        sellAmount: '1000',
        buyAmount: '3000',
        placedOnchain: false,
        executedSellAmount: '400',
        executedBuyAmount: '1200',
        trade: { transactionHash: hashOf(7), sellAmount: '400', buyAmount: '1200', surplus: '0', quotedAmount: null },
      },
    })
    expect(second).toMatchObject({ type: 'order_partially_filled', facts: { executedSellAmount: '500' } })
    expect(filled).toMatchObject({ type: 'order_filled', facts: { executedSellAmount: '1000' } })
    expect(await list()).toHaveLength(3)
  })

  test.each([
    ['sell', 1_000n, 3_000n, 0n, []],
    ['sell', 10_000n, 30_002n, 2n, []],
    ['sell', 10_000n, 30_003n, 3n, ['price_improvement']],
    ['buy', 1_000n, 3_000n, 0n, []],
    ['buy', 9_999n, 30_000n, 1n, ['price_improvement']],
  ] as const)('of a %s order, %d for %d, is %d better than its limit', async (kind, sell, buy, surplus, improved) => {
    const scale = buy >= 30_000n ? 10n : 1n
    const order = await place({ kind, sellAmount: 1_000n * scale, buyAmount: 3_000n * scale })
    await advance({ trades: [toTrade(order, sell, buy)] })
    expect(await types()).toEqual(['order_filled', ...improved])
    expect((await list())[0]?.facts.trade).toMatchObject({ surplus: surplus.toString() })
  })

  test("is compared with the amounts of its order's quote", async () => {
    const quoted = { sellAmount: 1_000n, buyAmount: 4_000n, feeAmount: 100n }
    const quoteId = await insertQuote(database, newQuote(quoted))
    const order = await place({ quoteId })
    await advance({ trades: [toTrade(order, 1_000n, 3_700n)] })
    // 4,000 for 1,000, of which the network fee takes 100
    expect((await list())[0]?.facts.trade).toMatchObject({ quotedAmount: '3600', surplus: '700', limitAmount: '3000' })
    const signed = await place({ quoteId, sellAmount: 900n, feeAmount: 100n })
    await advance({ trades: [{ ...toTrade(signed, 1_000n, 3_700n), feeAmount: 100n }] })
    // the signed fee comes on top of the price: 900 at 4,000 for 1,000
    expect((await list())[0]?.facts.trade).toMatchObject({ quotedAmount: '3600', surplus: '700', feeAmount: '100' })
  })

  test('of a just-in-time order notifies no account; of one placed by a contract, its user', async () => {
    const user: Hex = `0x${'77'.repeat(20)}`
    const order = await place()
    await database.update(orders).set({ onchainUser: user }).where(eq(orders.uid, order.uid))
    const { fullAppData: _, ...jit } = newOrder(900, { uid: orderUidOf(900) })
    await advance({
      trades: [toTrade(jit as NewOrder, 1n, 3n, { logIndex: 3 })],
      jitOrders: [{ ...jit, jitBlock: block + 1 }],
    })
    expect(await rows()).toEqual([])
    await insertTransitions(database, chainId, 1, [
      { uid: order.uid, label: 'invalid', reason: 'insufficient_balance', data: { needed: '5', available: '2' } },
    ])
    expect(await list()).toEqual([])
    expect(await list(user)).toMatchObject([{ account: user, facts: { placedOnchain: true } }])
  })
})

describe('the end of an order', () => {
  test('is a cancellation over the API, notified once', async () => {
    const order = await place()
    await updateCancelledOrders(database, chainId, [order.uid], genesis)
    await advance({
      invalidations: [
        { blockNumber: block + 1, logIndex: 1, owner: order.owner, orderUid: order.uid, transactionHash: hashOf(9) },
      ],
    })
    const cancellation = { by: null, replacedBy: null, transactionHash: null }
    expect(await list()).toMatchObject([{ type: 'order_cancelled', facts: { cancellation } }])
  })

  test('is a replacement, or an invalidation on-chain', async () => {
    const [replaced, invalidated] = [await place(), await place()]
    const successor = newOrder(800, { uid: orderUidOf(800) })
    await insertOrder(database, successor, { uid: replaced.uid, now: genesis })
    await advance({
      invalidations: [
        {
          blockNumber: block + 1,
          logIndex: 1,
          owner: invalidated.owner,
          orderUid: invalidated.uid,
          transactionHash: hashOf(9),
        },
      ],
    })
    expect((await list()).map(({ orderUid, facts }) => [orderUid, facts.cancellation])).toEqual([
      [invalidated.uid, { by: invalidated.owner, replacedBy: null, transactionHash: hashOf(9) }],
      [replaced.uid, { by: null, replacedBy: successor.uid, transactionHash: null }],
    ])
  })

  test('is one invalidation, even when the owner repeats it', async () => {
    const order = await place()
    const invalidate = (logIndex: number) => ({
      blockNumber: block + 1,
      logIndex,
      owner: order.owner,
      orderUid: order.uid,
      transactionHash: hashOf(9 + logIndex),
    })
    await advance({ invalidations: [invalidate(1), invalidate(2)] })
    await advance({ invalidations: [invalidate(1)] })
    expect(await list()).toMatchObject([{ type: 'order_cancelled', facts: { cancellation: { by: order.owner } } }])
    const logged = await database.select().from(orderEvents).where(eq(orderEvents.label, 'cancelled'))
    expect(logged).toHaveLength(1)
  })

  test('is the first block after its last valid second, except for orders that were never signed or already ended', async () => {
    const validTo = timeOf(block + 1)
    const order = await place({ validTo, partiallyFillable: true })
    await place({ validTo, signingScheme: 'presign' })
    const [cancelled, filled] = [await place({ validTo }), await place({ validTo })]
    await updateCancelledOrders(database, chainId, [cancelled.uid], genesis)
    await advance({ trades: [toTrade(order, 400n, 1_200n), toTrade(filled, 1_000n, 3_000n, { logIndex: 2 })] })
    const before = (await list()).length
    await advance()
    const [expired, ...others] = await list()
    expect(expired).toMatchObject({
      type: 'order_expired',
      orderUid: order.uid,
      facts: { validTo, executedSellAmount: '400' },
    })
    expect(others).toHaveLength(before)
    await advance()
    expect(await list()).toHaveLength(before + 1)
  })
})

test('a cancellation in flight stands beside the fill of a part', async () => {
  const order = await place({ partiallyFillable: true })
  await updateCancelledOrders(database, chainId, [order.uid], genesis)
  await advance({ trades: [toTrade(order, 500n, 1_500n)] })
  expect(await types()).toEqual(['order_cancelled', 'order_partially_filled'])
})

describe('the last valid second of an order', () => {
  const emptyRange = (fromBlock: number, toBlock: number, time = timeOf(toBlock)) => {
    const header = { number: toBlock, hash: hashOf(toBlock * 10), timestamp: new Date(time * 1_000) }
    return updateChain(database, chainId, { ...noEvents, fromBlock, toBlock, blocks: [header], undoFrom: null })
  }

  test('before the first indexed block is not notified', async () => {
    await emptyDatabase(database)
    await place({ validTo: timeOf(5) - 1 })
    const order = await place({ validTo: timeOf(5) })
    await emptyRange(5, 5)
    expect(await list()).toEqual([])
    await emptyRange(6, 6)
    expect(await list()).toMatchObject([{ type: 'order_expired', orderUid: order.uid }])
  })

  test("while indexing was down is notified once, by the chain's clock", async () => {
    const order = await place({ validTo: timeOf(100) })
    await place({ validTo: timeOf(600) })
    await emptyRange(2, 500, timeOf(99))
    expect(await list()).toEqual([])
    await emptyRange(501, 502)
    await emptyRange(503, 503)
    await emptyRange(503, 503)
    expect(await list()).toMatchObject([{ type: 'order_expired', orderUid: order.uid }])
  })
})

describe('missing funds', () => {
  const lack = (order: NewOrder, auctionId: number, of = 'balance') =>
    insertTransitions(database, chainId, auctionId, [
      { uid: order.uid, label: 'invalid', reason: `insufficient_${of}`, data: { needed: '5', available: '2' } },
    ])
  const recover = (order: NewOrder, auctionId: number) =>
    insertTransitions(database, chainId, auctionId, [{ uid: order.uid, label: 'ready', reason: null }])

  test('notify with the figures, and not again within the hour', async () => {
    const order = await place()
    await lack(order, 1)
    await lack(order, 1)
    await recover(order, 2)
    await lack(order, 3, 'allowance')
    const funds = { lacks: 'balance', needed: '5', available: '2' }
    expect(await list()).toMatchObject([{ type: 'insufficient_balance', facts: { funds } }])
    await database.update(notifications).set({ createdAt: new Date(Date.now() - 3_700_000) })
    await recover(order, 4)
    await lack(order, 5, 'allowance')
    expect((await list())[0]).toMatchObject({ facts: { funds: { lacks: 'allowance' } } })
    expect(await list()).toHaveLength(2)
  })

  test('do not notify for another reason of exclusion', async () => {
    const order = await place()
    await insertTransitions(database, chainId, 1, [
      { uid: order.uid, label: 'invalid', reason: 'invalid_signature' },
      { uid: order.uid, label: 'filtered', reason: 'dust_order' },
    ])
    expect(await list()).toEqual([])
  })
})

describe('a reorganisation', () => {
  test('retracts undone notifications and confirms those that the new chain repeats', async () => {
    const order = await place({ validTo: timeOf(block + 2) })
    const other = await place()
    await advance({ trades: [toTrade(other, 1_000n, 3_000n)] })
    await advance()
    await advance()
    expect(await types()).toEqual(['order_filled', 'order_expired'])
    const [filled] = await rows()

    await advance({}, block - 2)
    expect(await list()).toEqual([])
    expect(await rows()).toMatchObject([{ revision: 2 }, { revision: 2 }])
    const undone = await database.select().from(orderEvents).where(eq(orderEvents.label, 'undone'))
    expect(undone.map(({ orderUid, data }) => [orderUid, data])).toEqual([
      [other.uid, { label: 'traded', blockNumber: 2 }],
      [order.uid, { label: 'expired', blockNumber: 4 }],
    ])

    await advance({ trades: [toTrade(other, 1_000n, 3_000n)] })
    await advance()
    expect(await types()).toEqual(['order_filled', 'order_expired'])
    expect((await rows())[0]).toMatchObject({ id: filled?.id, revision: 3, retractedAt: null, blockNumber: 3 })
  })

  test('notifies of a changed outcome with its new figures', async () => {
    const order = await place()
    const invalidation = { logIndex: 1, owner: order.owner, orderUid: order.uid }
    await advance({ invalidations: [{ ...invalidation, blockNumber: block + 1, transactionHash: hashOf(8) }] })
    await advance({}, block)
    await advance({ invalidations: [{ ...invalidation, blockNumber: block + 1, transactionHash: hashOf(9) }] })
    expect(await list()).toMatchObject([{ facts: { cancellation: { transactionHash: hashOf(9) } } }])
  })

  test('updates the block of a trade', async () => {
    const order = await place()
    await advance({ trades: [toTrade(order, 1_000n, 3_000n)] })
    await advance({}, block)
    await advance({ trades: [toTrade(order, 1_000n, 3_000n, { logIndex: 4 })] })
    expect(await list()).toMatchObject([{ blockNumber: 3, facts: { trade: { blockNumber: 3, logIndex: 4 } } }])
  })
})

test('a list is newest first, filtered by types, and continues before an id', async () => {
  const order = await place({ partiallyFillable: true })
  for (const part of [1n, 2n, 3n]) await advance({ trades: [toTrade(order, part, 4n * part)] })
  const all = await list()
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a))
  const select = (options: object) => selectNotifications(database, order.owner, { limit: 2, ...options })
  expect(await select({})).toEqual(all.slice(0, 2))
  expect(await select({ before: all[1]?.id })).toEqual(all.slice(2, 4))
  expect((await select({ types: ['price_improvement'] })).map(({ type }) => type)).toEqual(
    Array(2).fill('price_improvement'),
  )
  expect(await select({ types: ['order_expired'] })).toEqual([])
})

test('a filtered list equals the full one without other entries, page by page, including networks that are no longer served', async () => {
  const { owner } = newOrder(1)
  const added = notificationType.enumValues.flatMap((type) =>
    [1, chainId, 424_242].map((chain) => newNotification(++seed, { chainId: chain, account: owner, type })),
  )
  const shuffled = [...added.filter((_, i) => i % 4 === 0), ...added.filter((_, i) => i % 4 !== 0)]
  await database
    .insert(notifications)
    .values([...shuffled, newNotification(++seed, { account: owner, retractedAt: new Date() })])
  await database.insert(notifications).values(newNotification(++seed, { chainId: 5, account: zeroAddress }))
  const all = await list()
  expect(all).toHaveLength(added.length)
  type Filter = { types?: (typeof notificationType.enumValues)[number][]; chainIds?: number[] }
  const filters: Filter[] = [
    { types: ['order_filled'] },
    { types: ['order_expired', 'order_filled', 'order_expired'] },
    { chainIds: [424_242] },
    { chainIds: [chainId, 1, chainId, 7] },
    { chainIds: [1, 424_242], types: ['price_improvement', 'order_cancelled'] },
    { types: [...notificationType.enumValues] },
  ]
  for (const filter of filters) {
    const { types, chainIds } = filter
    const wanted = all.filter(
      (one) => (types ?? [one.type]).includes(one.type) && (chainIds ?? [one.chainId]).includes(one.chainId),
    )
    const pages: typeof all = []
    for (let before: number | undefined; ; before = pages.at(-1)?.id) {
      const page = await selectNotifications(database, owner, { limit: 2, before, ...filter })
      pages.push(...page)
      if (page.length < 2) break
    }
    expect([filter, pages]).toEqual([filter, wanted])
  }
  expect(
    await selectNotifications(database, zeroAddress, { limit: 2, types: ['order_filled'], chainIds: [1] }),
  ).toEqual([])
})

test('a list of an account with many notifications is read from an index in its order, filtered or not', async () => {
  const { owner } = newOrder(1)
  const { facts } = newNotification(1)
  await database.execute(sql`
    insert into ${notifications} (chain_id, account, order_uid, type, key, event_id, facts)
    select case when n % 2 = 0 then ${chainId}::integer else n % 7 end,
      decode(case when n % 2 = 0 then ${owner.slice(2)} else ${zeroAddress.slice(2)} end, 'hex'),
      decode(lpad(to_hex(n), 112, '0'), 'hex'),
      case when n % 2 = 0 then 'order_filled'::notification_type else (enum_range(null::notification_type))[1 + n % ${notificationType.enumValues.length}] end,
      n::text, n, ${JSON.stringify(facts)}::jsonb
    from generate_series(1, 6000) as n`)
  await database.execute(sql`analyze ${notifications}`)
  const explain = async (filter: object): Promise<string> => {
    let plan = ''
    const explaining = drizzle(async (statement, params) => {
      plan = JSON.stringify(await database.$client.query(`explain ${statement}`, params))
      return { rows: [] }
    })
    await selectNotifications(explaining as unknown as Database, owner, { limit: 50, ...filter })
    return plan
  }
  const whole = await explain({})
  expect(whole).toContain('Index Scan using notifications_select_account')
  expect(whole).not.toContain('Sort')
  for (const filter of [{ types: ['order_expired'] }, { chainIds: [1] }, { chainIds: [1], types: ['order_filled'] }]) {
    const plan = await explain(filter)
    expect(plan).toContain('using notifications_select_filtered')
    expect(plan).not.toMatch(/Seq Scan on notifications|notifications_select_account/)
  }
})

measureRows(selectNotifications, (database, h) => selectNotifications(database, h.busyOwner, { limit: 100 }), {
  acrossNetworks: true,
})
measureRows(
  selectNotifications,
  (database, h) =>
    selectNotifications(database, h.busyOwner, {
      limit: 100,
      types: ['order_filled', 'order_expired'],
      chainIds: [h.chainId],
    }),
  { byId: true },
)
measureRows(retractNotifications, (database, h) => retractNotifications(database, h.chainId, h.tip - 9))
