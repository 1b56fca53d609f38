import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { newQuote } from '#test/helpers/database/newQuote.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { isOutsideMarket } from '#test/helpers/orders/isOutsideMarket.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { insertQuote, type NewQuote } from '../quotes/quotes.ts'
import { insertOrder, type NewOrder } from './orders.ts'
import { selectPlacementFacts } from './placementFacts.ts'

const { chainId } = networks.sepolia
const now = 1_900_000_000
const maxGas = 200_000n
const huge = 2n ** 256n - 1n
const { database, close } = await startTestDatabase()
let placed = 0

afterAll(close)
beforeEach(async () => {
  for (const table of [quotes, orders, orderEvents]) await database.delete(table)
})

type Amounts = { sellAmount: bigint; buyAmount: bigint; feeAmount: bigint }
const storeQuote = (changes: Partial<NewQuote>): Promise<number> =>
  insertQuote(
    database,
    newQuote({ sellAmount: 1000n, buyAmount: 3000n, feeAmount: 10n, expiresAt: new Date(now * 1_000), ...changes }),
  )

/** Places an order that may name a quote. */
const place = async (changes: Partial<NewOrder>) => {
  placed += 1
  const { id: _, ...order } = { id: 0, ...newOrder(placed, { class: 'limit', quoteId: null, ...changes }) }
  const outcome = await insertOrder(database, order, null, null, { now, maxGas })
  const [row] = await database.select().from(orders)
  return { order, outcome, row }
}

type Order = { kind: 'sell' | 'buy'; sellAmount: bigint; buyAmount: bigint }

/** The class that the statement stores for an order, whose quote counts when it has the order's exact amount. */
const expectClass = async (order: Order, quote: Amounts, isOutside: boolean) => {
  expect(isOutsideMarket(order, quote)).toBe(isOutside)
  const id = await storeQuote({ ...quote, kind: order.kind })
  const { row } = await place(order)
  const isMatch = order.kind === 'sell' ? order.sellAmount === quote.sellAmount : order.buyAmount === quote.buyAmount
  const expected = isMatch ? [isOutside ? 'limit' : 'market', id] : ['limit', null]
  expect([row?.class, row?.quoteId]).toEqual(expected)
}

const quote = { sellAmount: 1000n, buyAmount: 3000n, feeAmount: 10n }

// sell: 3000 − ⌊10 · 3000 / 1000⌋ = 2970 for 1000; buy: 1010 for 3000
test.each([
  ['sell', 1000n, 2970n, false],
  ['sell', 1000n, 2971n, true],
  ['sell', 999n, 2970n, true],
  ['buy', 1010n, 3000n, false],
  ['buy', 1009n, 3000n, true],
  ['buy', 1010n, 3001n, true],
] as const)('%s %s for %s: outside %s', async (kind, sellAmount, buyAmount, expected) => {
  await expectClass({ kind, sellAmount, buyAmount }, quote, expected)
})

test.each([
  [3n, false],
  [4n, true],
])('what the fee buys is rounded down: a limit of %s', async (buyAmount, expected) => {
  const odd = { sellAmount: 3n, buyAmount: 4n, feeAmount: 1n }
  await expectClass({ kind: 'sell', sellAmount: 3n, buyAmount }, odd, expected)
})

test('a sale that only pays the fee is outside', async () => {
  await expectClass({ kind: 'sell', sellAmount: 10n, buyAmount: 0n }, { ...quote, sellAmount: 10n }, true)
})

test.each([
  ['sell', huge, false],
  ['sell', huge - 1n, true],
  ['buy', huge - 1n, true],
  ['buy', huge, false],
] as const)('amounts of 256 bits are compared exactly: %s of %s', async (kind, sellAmount, expected) => {
  const free = { sellAmount: huge, buyAmount: huge, feeAmount: 0n }
  await expectClass({ kind, sellAmount, buyAmount: huge }, free, expected)
})

test('the quote is that of the placement facts, for each of many drawn quotes', async () => {
  for (let i = 0; i < 12; i++) {
    const sellAmount = BigInt(1 + (i % 4))
    await storeQuote({
      sellAmount,
      buyAmount: BigInt((i * 7) % 11),
      feeAmount: BigInt((i * 5) % 4),
      kind: i % 2 ? 'sell' : 'buy',
      verified: i % 3 === 0,
      quoteKind: i % 5 ? 'standard' : 'eip1271onchainorder',
      expiresAt: new Date((now - (i % 3) + 1) * 1_000),
    })
  }
  const named = (await database.select({ id: quotes.id }).from(quotes)).map(({ id }) => id)
  for (const [i, quoteId] of [null, ...named, 999_999].entries()) {
    await database.delete(orders)
    const kind = i % 2 ? 'sell' : 'buy'
    const changes = { kind, sellAmount: BigInt(1 + (i % 4)), buyAmount: BigInt((i * 7) % 11), quoteId } as const
    const { order, outcome, row } = await place(changes)
    const facts = await selectPlacementFacts(database, chainId, { ...order, quoteId }, now)
    expect(outcome.quote?.quoteId).toBe(facts.quote?.id)
    expect(outcome.namedUntil).toEqual(facts.namedQuote?.expiresAt ?? null)
    const isMarket = facts.quote !== null && !isOutsideMarket(changes, facts.quote)
    expect([row?.class, row?.quoteId]).toEqual([isMarket ? 'market' : 'limit', facts.quote?.id ?? null])
  }
})

test('an order that signs a fee has the quote that it names, as market', async () => {
  const id = await storeQuote({ sellAmount: 1000n, buyAmount: 1n })
  const { row, outcome } = await place({ feeAmount: 10n, quoteId: id, sellAmount: 990n, buyAmount: 5000n })
  expect([row?.class, row?.quoteId, outcome.quote?.quoteId]).toEqual(['market', id, id])
})

test.each([
  [maxGas, true],
  [maxGas + 1n, false],
])('a quote with %s gas: placed %s, and a refused order leaves nothing', async (gasAmount, expected) => {
  const id = await storeQuote({ gasAmount })
  const { row, outcome } = await place({ sellAmount: 1000n, buyAmount: 2970n })
  expect(outcome).toMatchObject({ inserted: expected, quote: { quoteId: id, gasAmount }, stored: expected ? {} : null })
  expect([row !== undefined, (await database.select().from(orderEvents)).length]).toEqual([expected, expected ? 1 : 0])
})

test('an order within the market does not count as limit order', async () => {
  const bounds = { now, limitOrders: 0, openOrders: 10, unsignedOfClient: 0, unsignedOrders: 0 }
  const insert = (changes: Partial<NewOrder>) => {
    placed += 1
    const order = newOrder(placed, { class: 'limit', quoteId: null, sellAmount: 1000n, ...changes })
    return insertOrder(database, order, null, bounds, { now, maxGas })
  }
  await storeQuote({})
  expect(await insert({ buyAmount: 2970n })).toMatchObject({ inserted: true, exceeded: null })
  expect(await insert({ buyAmount: 2971n })).toMatchObject({ inserted: false, exceeded: { field: 'limitOrders' } })
})

describe('one quote makes one open market order of a holder', () => {
  const terms = { sellAmount: 1000n, buyAmount: 2970n }
  const bounds = { now, limitOrders: 1_000, openOrders: 1_000, unsignedOfClient: 1_000, unsignedOrders: 1_000 }
  const countMarket = async () => {
    const rows = await database.select({ class: orders.class }).from(orders)
    return rows.filter((row) => row.class === 'market').length
  }
  const placeOne = (changes: Partial<NewOrder>, replaced?: NewOrder['uid']) => {
    placed += 1
    const order = newOrder(placed, { class: 'limit', quoteId: null, ...terms, ...changes })
    const replacement = replaced ? { uid: replaced, now } : null
    return insertOrder(database, order, replacement, bounds, { now, maxGas })
  }
  /** Places many orders at the same time. */
  const placeTogether = (count: number, changes: Partial<NewOrder>) =>
    Promise.all(Array.from({ length: count }, () => placeOne(changes)))

  test.each([20, 2])(
    'when %s orders name it at the same time; the others are placed outside the market',
    async (count) => {
      const quoteId = await storeQuote({})
      const outcomes = await placeTogether(count, { quoteId })
      expect([await countMarket(), outcomes.filter(({ inserted }) => inserted).length]).toEqual([1, count])
      expect(outcomes.filter(({ isQuoteUsed }) => isQuoteUsed)).toHaveLength(count - 1)
    },
  )

  test('when 20 orders match it without its name, or sign its fee', async () => {
    await storeQuote({})
    await placeTogether(20, {})
    expect(await countMarket()).toBe(1)
    const quoteId = await storeQuote({})
    await placeTogether(20, { quoteId, feeAmount: 10n, sellAmount: 990n })
    expect(await countMarket()).toBe(2)
  })

  test('and orders beyond that one count against the limit', async () => {
    const quoteId = await storeQuote({})
    const place = (limitOrders: number) => {
      placed += 1
      const order = newOrder(placed, { class: 'limit', quoteId, ...terms })
      return insertOrder(database, order, null, { ...bounds, limitOrders }, { now, maxGas })
    }
    expect(await place(0)).toMatchObject({ inserted: true })
    expect(await place(1)).toMatchObject({ inserted: true })
    expect(await place(1)).toMatchObject({ inserted: false, exceeded: { field: 'limitOrders', open: 1 } })
  })

  test('so an order that is cancelled, replaced or filled makes room for the next one', async () => {
    const quoteId = await storeQuote({})
    await placeOne({ quoteId })
    const [first] = await database.select().from(orders)
    await placeOne({ quoteId }, first?.uid)
    expect(await countMarket()).toBe(2)
    await database.update(orders).set({ cancelledAt: new Date() })
    await placeOne({ quoteId })
    expect(await countMarket()).toBe(3)
    await database.update(orders).set({ executedSellAmount: 1000n })
    await placeOne({ quoteId })
    expect(await countMarket()).toBe(4)
  })

  test('and no other account uses it up, signed or not', async () => {
    const quoteId = await storeQuote({})
    const stranger = `0x${'57'.repeat(20)}` as const
    const unsigned = { signingScheme: 'presign', signature: '0x', submittedBy: '0xaa' } as const
    await placeTogether(3, { quoteId, owner: stranger })
    await placeTogether(3, { quoteId, ...unsigned })
    expect(await countMarket()).toBe(2)
    expect(await placeOne({ quoteId })).toMatchObject({ isQuoteUsed: false })
    expect(await placeOne({ quoteId, ...unsigned, submittedBy: '0xbb' })).toMatchObject({ isQuoteUsed: false })
    expect(await countMarket()).toBe(4)
  })

  test('and a signed order in place of the unsigned one with its UID is within the market', async () => {
    const quoteId = await storeQuote({})
    const order = newOrder(placed + 1, { class: 'limit', quoteId, ...terms })
    const unsigned = { ...order, signingScheme: 'presign', signature: '0x', submittedBy: '0xaa' } as const
    for (const sent of [unsigned, order]) await insertOrder(database, sent, null, bounds, { now, maxGas })
    expect(await database.select().from(orders)).toMatchObject([
      { class: 'market', signingScheme: order.signingScheme },
    ])
  })
})

test.each([
  ['sell', { sellAmount: 1000n, feeAmount: 500n }, 'market'],
  ['sell', { sellAmount: 1000n, feeAmount: 501n }, 'limit'],
  ['buy', { sellAmount: 1000n, feeAmount: 1000n }, 'market'],
  ['buy', { sellAmount: 1000n, feeAmount: 1001n }, 'limit'],
] as const)(
  'a %s quote with a fee above half of what is sold makes no market order: %o',
  async (kind, amounts, expected) => {
    await storeQuote({ ...amounts, kind })
    const { row } = await place({
      kind,
      sellAmount: kind === 'sell' ? 1000n : huge,
      buyAmount: kind === 'sell' ? 1n : 3000n,
    })
    expect(row?.class).toBe(expected)
  },
)
