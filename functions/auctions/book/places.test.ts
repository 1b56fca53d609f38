import { and, eq, inArray } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { selectCandidates } from '#schema/queries/auctions/selectCandidates.ts'
import type { NewOrder } from '#schema/queries/orders/orders.ts'
import { currentAuctions } from '#schema/tables/auctions/auctions.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { quotes } from '#schema/tables/quotes/quotes.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { findBookLimit } from './findBookLimit.ts'
import { createPlaces } from './places.ts'
import type { PriceCache } from './requestPrices.ts'

const chainId = 1
const now = 1_900_000_000
const wei = 10n ** 18n
const [weth, usd, own] = ['aa', 'bb', 'cc'].map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
]
/** a full book and its limit, 50 or as in production */
const sizes = { strangers: 300, maxOrders: 50 }
const large = { strangers: 30_000, maxOrders: 5_000 }

let testDatabase: TestDatabase
let seed = 0

beforeAll(async () => {
  testDatabase = await startTestDatabase()
})
afterAll(() => testDatabase?.close())

beforeEach(async () => {
  await emptyDatabase(testDatabase.database)
  const quote = { sellToken: weth, buyToken: usd, sellAmount: wei, buyAmount: wei, feeAmount: 1n, solver: weth }
  await testDatabase.database.insert(quotes).values({
    ...{ ...quote, chainId, kind: 'sell', quoteKind: 'standard', gasAmount: 200_000n, gasPrice: 10n ** 9n },
    ...{ sellTokenPrice: 1, verified: true, metadata: {}, expiresAt: new Date() },
  })
})

/** One WETH for as much, unless changed; each later than the one before. */
const place = async (count: number, changes: Partial<NewOrder> = {}): Promise<Hex[]> => {
  const placed = Array.from({ length: count }, (_, i) => {
    seed += 1
    const { fullAppData: _document, ...order } = newOrder(seed)
    const uid = `0x${((BigInt(seed) * 0x9e3779b97f4a7c15n) % 2n ** 64n).toString(16).padStart(16, '0')}${order.uid.slice(18)}`
    return {
      ...{
        ...order,
        uid: uid as Hex,
        chainId,
        class: 'limit' as const,
        sellToken: weth,
        buyToken: usd,
        sellAmount: wei,
      },
      ...{ buyAmount: wei, owner: `0x${String(i % 30).padStart(40, '1')}` as Address },
      ...{ createdAt: new Date((now - 100_000 + seed) * 1_000), ...changes },
    }
  })
  for (let i = 0; i < placed.length; i += 1_000)
    await testDatabase.database.insert(orders).values(placed.slice(i, i + 1_000))
  return placed.map(({ uid }) => uid)
}

/** What strangers do after each cut, with its orders. */
type Reaction = (cut: ReadonlySet<Hex>, setPrice: (token: Address, price: number) => void) => unknown

/** The cuts of a clock in a market where nothing is solved. */
const startBook = (
  maxOrders: number,
  prices: Record<Address, number> = { [weth]: 1, [usd]: 1, [own]: 1 },
  react: Reaction = () => undefined,
) => {
  const known: PriceCache = new Map()
  const memory = {
    turn: { number: undefined, after: '0x' as Hex, end: undefined as Hex | undefined },
    places: createPlaces(() => 10 * maxOrders),
    prices: known,
  }
  let block = 1_000
  let candidates: Awaited<ReturnType<typeof selectCandidates>>['candidates'] = []
  const setPrice = (token: Address, price: number) =>
    known.set(token, { price, recent: [price], isDeep: true, requestedAt: 0, nextAt: 0, inFlight: false })
  for (const [token, price] of Object.entries(prices)) setPrice(token as Address, price)
  const cut = async (): Promise<Set<Hex>> => {
    block += 1
    const hash: Hex = `0x${block.toString(16).padStart(64, '7')}`
    const limit = findBookLimit({ maxOrders }, memory, { number: block, hash, timestamp: new Date() })
    const before = new Map(candidates.map((candidate) => [candidate.order.uid, candidate]))
    const chosen = await selectCandidates(testDatabase.database, chainId, now, 0, before, limit)
    candidates = chosen.candidates
    memory.turn.end = chosen.turnEnd
    if (chosen.isFull) memory.places.note(candidates, block, known)
    const uids = new Set(candidates.map(({ order }) => order.uid))
    await react(uids, setPrice)
    return uids
  }
  const advance = async (blocks: number) => {
    for (let i = 0; i < blocks; i++) await cut()
  }
  /** blocks until the order has a place */
  const countBlocks = async (uid: Hex, most = 100): Promise<number> => {
    for (let i = 1; i <= most; i++) if ((await cut()).has(uid)) return i
    return Number.POSITIVE_INFINITY
  }
  return { cut, advance, countBlocks, setPrice }
}

/** wei: 100,000 gas at the gas price of the newest quote */
const gasCost = 10n ** 14n
const dust = { sellAmount: 1_000n, buyAmount: 1n }
const generous = { buyAmount: 1n }

const raise = (factor: number): Reaction => {
  let price = 1
  return (_cut, setPrice) => {
    price *= factor
    setPrice(own, price)
  }
}
let isHigh = false
const swing: Reaction = (_cut, setPrice) => {
  isHigh = !isHigh
  setPrice(own, isHigh ? 1.001 : 0.995)
}
const moveFunds: Reaction = async (cut) => {
  const isOfStranger = and(eq(orders.chainId, chainId), eq(orders.buyAmount, 1n))
  const isEmpty = and(isOfStranger, eq(orders.availableBalance, 0n))
  await testDatabase.database.update(orders).set({ availableBalance: wei }).where(isEmpty)
  const isListed = and(isOfStranger, inArray(orders.uid, [...cut]))
  await testDatabase.database.update(orders).set({ availableBalance: 0n }).where(isListed)
}

describe.each([sizes, ...(process.env.LONG ? [large] : [])])(
  '$strangers orders of strangers in a book of $maxOrders',
  ({ strangers, maxOrders }) => {
    test.each([
      ['dust, which pays for no gas', dust],
      [
        'dust beside an absurd amount that its owner lacks',
        { ...generous, sellAmount: 10n ** 40n, availableBalance: 5n },
      ],
      [
        'a part of an absurd amount that is dust',
        { ...generous, sellAmount: 10n ** 40n, availableBalance: 5n, partiallyFillable: true },
      ],
    ])('leave the place of an order at the market at all times when they are %s', async (_, terms) => {
      await place(strangers / 2, terms)
      const [honest] = await place(1)
      await place(strangers / 2, terms)
      const book = startBook(maxOrders)
      for (let block = 0; block < 12; block++) expect(await book.cut()).toContain(honest)
    })

    test.each<[string, Partial<NewOrder>, Reaction?]>([
      ['promise everything', generous],
      ['sell little more than their gas', { ...generous, sellAmount: (gasCost * 21n) / 20n }],
      [
        'sell little more than their gas in parts',
        { ...generous, partiallyFillable: true, availableBalance: gasCost * 2n },
      ],
      ['have a price of their own that rises with every block', { ...generous, sellToken: own }, raise(1.02)],
      ['have a price of their own that reaches their limits again and again', { sellToken: own }, swing],
      ['lose their funds when they are in an auction, and have them back afterwards', generous, moveFunds],
    ])('delay no order that reaches the market when they are never solved and %s', async (_, terms, react) => {
      await place(strangers, terms)
      const [honest] = await place(1, { buyAmount: (wei * 105n) / 100n })
      await place(strangers / 2, terms)
      const book = startBook(maxOrders, undefined, react)
      await book.advance(strangers / maxOrders + 12)
      book.setPrice(weth, 1.06)
      expect(await book.countBlocks(honest as Hex)).toBeLessThanOrEqual(2)
    })

    test.each([
      ['within the market', generous],
      ['a little beyond it, like the honest one', { buyAmount: (wei * 1_005n) / 1_000n }],
    ])('delay no order that had its places just beyond the market when they are %s', async (_, terms) => {
      await place(strangers, terms)
      const [honest] = await place(1, { buyAmount: (wei * 1_004n) / 1_000n })
      await place(strangers / 2, terms)
      const book = startBook(maxOrders)
      await book.advance(strangers / maxOrders + 30)
      book.setPrice(weth, 1.0041)
      expect(await book.countBlocks(honest as Hex)).toBeLessThanOrEqual(2)
    })
  },
)

test('orders of strangers return less and less often, also when the price of their token swings with every block', async () => {
  const hostile = new Set(await place(300, { ...generous, sellToken: own }))
  const book = startBook(50)
  await place(50, { buyAmount: (wei * 110n) / 100n })
  const countHostile = async (blocks: number) => {
    let count = 0
    for (let i = 0; i < blocks; i++) {
      book.setPrice(own, i % 2 ? 1 : 8)
      count += [...(await book.cut())].filter((uid) => hostile.has(uid)).length
    }
    return count / blocks
  }
  await book.advance(200)
  // the orders in turn are a fifth of the cut
  expect(await countHostile(60)).toBeLessThan(0.45 * 50)
})

test('a new clock ranks a full book by the prices of the newest auction', async () => {
  const [honest] = await place(1)
  await place(300, dust)
  const prices = { [weth]: `${wei}`, [usd]: `${wei}`, [own]: '0' }
  await testDatabase.database.insert(currentAuctions).values({ chainId, id: 1, block: 1, prices })
  expect(await startBook(50, {}).countBlocks(honest as Hex)).toBe(1)
})

test('an order rests for longer after each place, and a solution, a fill or a better price ends its rest', () => {
  const { fullAppData: _document, ...order } = newOrder(1, { sellToken: own, buyToken: usd, sellAmount: 100n })
  const candidate = {
    order: { ...order, buyAmount: 100n, executedSellAmount: 0n, executedFeeAmount: 0n },
  } as unknown as Candidate
  const priced = (price: number) => new Map([own, usd].map((token, i) => [token, { price: i ? 1 : price }] as const))
  const places = createPlaces(() => 10)
  const stateAt = (block: number, price = 1) => {
    const { tried, resting } = places.list(block, priced(price))
    return tried.length ? 'tried' : resting.length ? 'resting' : 'new'
  }
  const noteAt = (block: number, changes: Partial<Candidate> = {}) =>
    places.note([{ ...candidate, ...changes }], block, priced(1))
  const restsUntil = (from: number) => {
    let block = from
    while (stateAt(block) === 'resting') block += 1
    return block - from
  }
  expect(stateAt(0)).toBe('new')
  const rests = [0, 100, 200, 300, 500, 700, 900].map((block) => {
    noteAt(block)
    expect(stateAt(block + 4)).toBe('tried')
    return restsUntil(block + 5)
  })
  expect(rests).toEqual([5, 10, 20, 40, 80, 160, 160])
  expect([stateAt(910), stateAt(911, 0.5), stateAt(912, 1.005)]).toEqual(['resting', 'resting', 'resting'])
  expect([stateAt(913, 1.02), stateAt(917), stateAt(918)]).toEqual(['tried', 'tried', 'resting'])
  noteAt(919, { newestLabel: 'executing' })
  expect(stateAt(919)).toBe('new')
  noteAt(920)
  expect(stateAt(925)).toBe('resting')
  noteAt(926, { order: { ...candidate.order, executedSellAmount: 1n } })
  expect([stateAt(926), restsUntil(931)]).toEqual(['tried', 5])
  expect([stateAt(1926), stateAt(1927)]).toEqual(['tried', 'new'])
})

test('an order that the market reaches after all its places is new, once', () => {
  const { fullAppData: _document, ...order } = newOrder(1, { sellToken: own, buyToken: usd, sellAmount: 1_000n })
  const candidate = {
    order: { ...order, buyAmount: 1_005n, executedSellAmount: 0n, executedFeeAmount: 0n },
  } as unknown as Candidate
  const priced = (price: number) => new Map([own, usd].map((token, i) => [token, { price: i ? 1 : price }] as const))
  const places = createPlaces(() => 10)
  places.note([candidate], 1, priced(1))
  expect(places.list(7, priced(1.004)).resting).toHaveLength(1)
  expect(places.list(8, priced(1.006))).toEqual({ tried: [], resting: [] })
  expect(places.list(9, priced(1))).toEqual({ tried: [], resting: [] })
  places.note([candidate], 9, priced(1))
  for (const price of [1, 1.006, 1, 1.006]) expect(places.list(15, priced(price)).resting).toHaveLength(1)
})

test('an order beyond the market is not remembered, so that it is new when the price reaches it', () => {
  const { fullAppData: _document, ...order } = newOrder(1, { sellToken: own, buyToken: usd, sellAmount: 100n })
  const candidate = {
    order: { ...order, buyAmount: 102n, executedSellAmount: 0n, executedFeeAmount: 0n },
  } as unknown as Candidate
  const prices = new Map([own, usd].map((token) => [token, { price: 1 }] as const))
  const places = createPlaces(() => 10)
  places.note([candidate], 1, prices)
  expect(places.list(1, prices)).toEqual({ tried: [], resting: [] })
})
