import { desc, eq } from 'drizzle-orm'
import type { Address } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertAuction, nextAuctionId } from '#schema/queries/auctions/auctions.ts'
import { insertOrder, type NewOrder } from '#schema/queries/orders/orders.ts'
import { auctions, currentAuctions } from '#schema/tables/auctions/auctions.ts'
import { solutionOrders, solutions } from '#schema/tables/auctions/solutions.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { networks } from '#shared/networks.ts'
import { toPair } from '#shared/solvers/toTradedPair.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import type { Auction } from '../auction.ts'
import { type DecisionDeps, decideAuction } from './decideAuction.ts'
import type { ScoredSolution } from './scoreSolution.ts'

const network = networks.sepolia
const { chainId } = network
const [better, worse]: Address[] = [`0x${'5a'.repeat(20)}`, `0x${'5b'.repeat(20)}`]

let testDatabase: TestDatabase
let placed: NewOrder[]

beforeAll(async () => {
  testDatabase = await startTestDatabase()
})

afterAll(() => testDatabase?.close())

beforeEach(async () => {
  await emptyDatabase(testDatabase.database)
  placed = [1, 2, 3].map((seed) => newOrder(seed, { sellAmount: 100n, buyAmount: 100n }))
  for (const order of placed) await insertOrder(testDatabase.database, order)
})

const cancel = async (i: number, changes: Partial<typeof orders.$inferInsert> = { cancelledAt: new Date() }) => {
  const uid = placed[i]?.uid as NewOrder['uid']
  await testDatabase.database.update(orders).set(changes).where(eq(orders.uid, uid))
}

/** `whileRecording` happens the first time that the winners are known and nothing is written yet, `eachTime` each time. */
const decide = async (
  proposals: ScoredSolution[],
  whileRecording: () => Promise<void> = async () => undefined,
  head = 1n,
  eachTime: (repetition: number) => Promise<void> = async () => undefined,
  rules: Partial<DecisionDeps> = {},
) => {
  const id = await nextAuctionId(testDatabase.database)
  const cut = { id, block: 1, prices: {}, transitions: [], entered: [], changed: [], left: [] }
  await insertAuction(testDatabase.database, chainId, cut)
  let asked = 0
  const deps: DecisionDeps = {
    network,
    database: testDatabase.database,
    chain: {
      getBlockNumber: async () => {
        asked += 1
        if (asked === 1) await whileRecording()
        await eachTime(asked - 1)
        return head
      },
    } as unknown as DecisionDeps['chain'],
    shuffle: <T>(items: readonly T[]) => [...items],
    log: () => undefined,
    now: () => 0,
    solvers: [],
    background: () => undefined,
    allowances: new Map(),
    isOpen: () => false,
    hasFailed: () => false,
    deadlineBlocksOf: () => 3,
    hideBeforeDeadline: false,
    reveal: async () => ({ calldata: '0x' }),
    ...rules,
  }
  const auction = {
    id,
    block: 1,
    orders: new Map(placed.map((order) => [order.uid, order])),
    prices: new Map(),
    feePolicies: new Map(),
    proven: new Set(tokens.slice(1)),
    body: { orders: [], prices: Object.fromEntries(tokens.map((token) => [token, '7'])) },
    certainty: new Map(),
    funds: new Map(),
    content: '',
  } as unknown as Auction
  return decideAuction(deps, auction, proposals)
}

const propose = (solver: Address | undefined, score: bigint, order: NewOrder | undefined): ScoredSolution => {
  if (!solver || !order) throw new Error('nothing to propose')
  const { sellToken, buyToken, sellAmount: limitSell, buyAmount: limitBuy } = order
  const execution = { executedSell: limitSell, executedBuy: limitBuy + score }
  return {
    solver,
    solutionId: 1,
    orders: new Map([[order.uid, { side: 'sell', sellToken, buyToken, limitSell, limitBuy, ...execution }]]),
    score,
    pairScores: new Map([[toPair(sellToken, buyToken), score]]),
    protocolFees: new Map(),
  }
}
/** the tokens of all orders: only the latter has a market with depth */
const tokens = [newOrder(0).sellToken, newOrder(0).buyToken] as const
const both = () => [propose(better, 9n, placed[0]), propose(worse, 5n, placed[1])]
const recorded = async () => ({
  solvers: (await testDatabase.database.select().from(solutions).orderBy(solutions.uid)).map(({ solver }) => solver),
  attempts: (await testDatabase.database.select().from(settlementAttempts)).map(({ solver }) => solver),
})

describe('decideAuction', () => {
  test('gives the auction to the best solution', async () => {
    expect(await decide(both())).toMatchObject([{ solver: better, solutionUid: 0 }])
    expect(await recorded()).toEqual({ solvers: [better, worse], attempts: [better] })
  })

  test('a solution whose calldata is refused is logged with the name of its solver', async () => {
    const logged: unknown[] = []
    await decide(both(), undefined, 7n, undefined, {
      solvers: [{ name: 'first', address: better }] as unknown as DecisionDeps['solvers'],
      log: (entry) => logged.push(entry),
      reveal: async (_, { solver }) =>
        solver === better ? { fault: 'it reverts', isOwn: false } : { calldata: '0x' as const },
    })
    expect(logged).toMatchObject([{ message: 'solution rejected', solver: 'first', reason: 'it reverts' }])
  })

  test('a solution that does not win excludes others as unfair only while its calldata keeps its promise', async () => {
    const [taken, bogus, fair] = [
      propose(better, 20n, placed[0]),
      propose(better, 9n, placed[1]),
      propose(worse, 5n, placed[2]),
    ]
    const [pair = ''] = fair.pairScores.keys()
    const batch = { ...fair, score: 6n, pairScores: new Map([...fair.pairScores, ['another pair', 1n]]) }
    const reveal =
      (isKept: boolean) =>
      async (_: unknown, { score }: ScoredSolution) =>
        score === 9n && !isKept ? { fault: 'it reverts', isOwn: false } : { calldata: '0x' as const }
    const isUnfair = async () =>
      (await testDatabase.database.select().from(solutions).orderBy(solutions.auctionId))
        .filter(({ solver }) => solver === worse)
        .map(({ filteredOut }) => filteredOut)
    const elsewhere = { ...taken, pairScores: new Map([['elsewhere', 20n]]) }
    const proposals = [elsewhere, { ...bogus, solutionId: 2, pairScores: new Map([[pair, 9n]]) }, batch]
    await decide(proposals, undefined, 7n, undefined, { reveal: reveal(false) })
    expect(await isUnfair()).toEqual([false])
    await decide([bogus, batch], undefined, 7n, undefined, { reveal: reveal(true) })
    expect(await isUnfair()).toEqual([false, true])
  })

  test('states the deadline block of a solver in its request and in the record', async () => {
    const deadlineBlocksOf = (solver: Address) => (solver === better ? 2 : 3)
    const won = await decide([propose(better, 9n, placed[0])], undefined, 7n, undefined, { deadlineBlocksOf })
    expect(won).toMatchObject([{ deadlineBlock: 9 }])
    expect(await testDatabase.database.select().from(settlementAttempts)).toMatchObject([
      { startBlock: 7, deadlineBlock: 9 },
    ])
    expect(await testDatabase.database.select().from(auctions)).toMatchObject([{ deadlineBlock: 9 }])
  })

  test('records which prices value trades: those of tokens whose market has depth', async () => {
    await decide(both())
    const [sold, bought] = tokens
    expect(await testDatabase.database.select().from(auctions)).toMatchObject([
      { prices: { [sold]: '7', [bought]: '7' }, provenPrices: { [bought]: '7' } },
    ])
    expect((await testDatabase.database.select().from(auctions))[0]?.provenPrices).not.toHaveProperty(sold)
  })

  test('gives the auction to another solver when the best one has no win left', async () => {
    const allowances = new Map([[better as Address, { score: 0n, unsettled: 1 }]])
    expect(await decide(both(), undefined, 1n, undefined, { allowances })).toMatchObject([{ solver: worse }])
  })

  test('gives the auction to the next solution when calldata breaks a promise, and excludes its solver only for its own fault', async () => {
    const third = { ...propose(better, 3n, placed[0]), solutionId: 2 }
    for (const isOwn of [true, false]) {
      const reveal: DecisionDeps['reveal'] = async (_, { solver, solutionId }) =>
        solver === better && solutionId === 1 ? { fault: 'short', isOwn } : { calldata: '0x' }
      const won = await decide([...both(), third], undefined, 1n, undefined, { reveal })
      expect(won).toMatchObject([{ solver: worse }])
      const [auction] = await testDatabase.database.select().from(auctions).orderBy(desc(auctions.id))
      expect(auction?.leftOut).toEqual([{ solver: better, kind: 'rejected', reason: 'short' }])
      const rows = await testDatabase.database.select().from(solutions)
      expect(rows.filter(({ auctionId }) => auctionId === auction?.id)).toHaveLength(isOwn ? 1 : 2)
      await testDatabase.database.delete(settlementAttempts)
    }
  })

  test('a solver whose checks hang or fail delays no other one, and the next best of its order has time', async () => {
    const slow = Array.from({ length: 3 }, (_, i) => ({
      ...propose(better, 90n, placed[1]),
      ...{ solutionId: 10 + i, pairScores: new Map([[`pair ${i}`, 90n]]) },
    }))
    const hang = () => new Promise<never>(() => undefined)
    const fail = () => Promise.reject(new Error('no node'))
    for (const check of [hang, fail]) {
      const reveal: DecisionDeps['reveal'] = async (_, { solver }) =>
        solver === better ? check() : { calldata: '0x' as const }
      const since = performance.now()
      const proposals = [...slow, propose(worse, 5n, placed[0]), { ...propose(worse, 4n, placed[1]), solutionId: 2 }]
      const rules = { reveal, now: Date.now, isOpen: () => true }
      const won = await decide(proposals, undefined, 7n, undefined, rules)
      expect(won.map(({ solver, solutionId }) => [solver, solutionId])).toEqual([
        [worse, 1],
        [worse, 2],
      ])
      expect(performance.now() - since).toBeLessThan(5_000)
      await testDatabase.database.delete(settlementAttempts)
    }
  })

  test('a solver with ten solutions whose checks take long and fail leaves half of the time to the next best', async () => {
    let now = 0
    const slow = Array.from({ length: 10 }, (_, i) => ({ ...propose(better, 90n, placed[1]), solutionId: 10 + i }))
    const left: number[] = []
    const reveal: DecisionDeps['reveal'] = async (_, { solver }) => {
      if (solver === worse) left.push(4_000 - now)
      else now += 900
      return solver === worse ? { calldata: '0x' } : { fault: 'its settlement fails', isOwn: false }
    }
    const won = await decide([...slow, propose(worse, 4n, placed[1])], undefined, 1n, undefined, {
      reveal,
      now: () => now,
    })
    expect(won).toMatchObject([{ solver: worse }])
    expect(left).toEqual([1_300])
  })

  test('a solver that failed an order wins it only when the calldata of another one for it breaks its promise', async () => {
    const hasFailed = (solver: Address) => solver === better
    const proposals = [propose(better, 9n, placed[0]), propose(worse, 5n, placed[0])]
    const reason = `order ${placed[0]?.uid}: this solver failed it before`
    for (const [isKept, winner, leftOut] of [
      [true, worse, { solver: better, kind: 'yielded', reason }],
      [false, better, { solver: worse, kind: 'rejected', reason: 'its settlement fails' }],
    ] as const) {
      const reveal: DecisionDeps['reveal'] = async (_, { solver }) =>
        solver === better || isKept ? { calldata: '0x' } : { fault: 'its settlement fails', isOwn: false }
      const won = await decide(proposals, undefined, 1n, undefined, { reveal, hasFailed })
      expect(won.map(({ solver }) => solver)).toEqual([winner])
      const [auction] = await testDatabase.database.select().from(auctions).orderBy(desc(auctions.id))
      expect(auction?.leftOut).toEqual([leftOut])
      await testDatabase.database.delete(settlementAttempts)
    }
  })

  test('lets no solution win whose calldata was not checked in time', async () => {
    let now = 0
    const reveal: DecisionDeps['reveal'] = async (_, { solver }) => {
      now += 10_000
      return solver === better ? { fault: 'late', isOwn: false } : { calldata: '0x' }
    }
    expect(await decide(both(), undefined, 1n, undefined, { reveal, now: () => now })).toEqual([])
    expect(await recorded()).toEqual({ solvers: [], attempts: [] })
  })

  test.each([
    ['off-chain', { cancelledAt: new Date() }],
    ['on-chain', { invalidated: true }],
  ])('drops solutions with an order that was cancelled %s during the competition', async (_, changes) => {
    await cancel(0, changes)
    expect(await decide(both())).toMatchObject([{ solver: worse, solutionUid: 0 }])
    expect(await recorded()).toEqual({ solvers: [worse], attempts: [worse] })
  })

  test('decides again when an order of a winner is cancelled before all is written', async () => {
    expect(await decide(both(), () => cancel(0))).toMatchObject([{ solver: worse }])
    expect(await recorded()).toEqual({ solvers: [worse], attempts: [worse] })
  })

  test('decides as often as orders of winners are cancelled while it records, in the time of one decision', async () => {
    const cancelled = Array.from({ length: 6 }, (_, i) => newOrder(10 + i, { sellAmount: 100n, buyAmount: 100n }))
    for (const order of cancelled) await insertOrder(testDatabase.database, order)
    placed.push(...cancelled)
    const proposals = cancelled.map((order, i) => ({ ...propose(better, 90n - BigInt(i), order), solutionId: 10 + i }))
    const times: number[] = []
    let now = 0
    const reveal: DecisionDeps['reveal'] = async () => {
      times.push(now)
      now += 300
      return { calldata: '0x' }
    }
    const won = await decide(
      [...proposals, propose(worse, 5n, placed[0])],
      undefined,
      1n,
      async (repetition) => {
        if (repetition < cancelled.length) await cancel(3 + repetition)
      },
      { reveal, now: () => now },
    )
    expect(won).toMatchObject([{ solver: worse }])
    expect(times.at(-1)).toBeLessThan(4_000)
  })

  test('a winner whose order was not cancelled remains', async () => {
    expect(await decide(both(), () => cancel(1))).toMatchObject([{ solver: better }])
  })

  test('has no winner when no solution is left', async () => {
    await cancel(0)
    expect(await decide(both().slice(0, 1))).toEqual([])
    expect(await recorded()).toEqual({ solvers: [], attempts: [] })
  })

  test('records solutions with more orders than a statement may have parameters', async () => {
    const wide = propose(worse, 1n, placed[1])
    const [[uid, execution] = []] = wide.orders
    if (!uid || !execution) throw new Error('nothing to propose')
    const uids = Array.from({ length: 6_000 }, (_, i) => `0x${(i + 1).toString(16).padStart(112, '0')}` as const)
    const orders = new Map([[uid, execution], ...uids.map((other) => [other, execution] as const)])
    await expect(decide([propose(better, 9n, placed[0]), { ...wide, orders }])).resolves.toHaveLength(1)
    const rows = await testDatabase.database.select().from(solutionOrders).orderBy(solutionOrders.solutionUid)
    expect(rows).toHaveLength(6_002)
    expect(rows[0]).toMatchObject({ orderUid: placed[0]?.uid, ...execution, executedBuy: 109n })
  })

  test('rejects a head so far ahead that the chain would never reach the deadline', async () => {
    await expect(decide(both(), undefined, 10n ** 12n)).rejects.toThrow('head 1000000000000')
    expect(await recorded()).toEqual({ solvers: [], attempts: [] })
  })

  test('throws when another clock recorded a newer auction', async () => {
    const overtake = async () => {
      await testDatabase.database.update(currentAuctions).set({ id: 1_000_000 })
    }
    await expect(decide(both(), overtake)).rejects.toThrow()
    expect(await recorded()).toEqual({ solvers: [], attempts: [] })
  })
})

describe('notices of losses', () => {
  const notified: { body: { kind: string; solutionId: number; reason: string }; solver: Address | undefined }[] = []
  const background: Promise<unknown>[] = []
  const connect = (address: Address | undefined) => ({
    ...{ name: String(address), address, baseUrl: 'http://driver.example', timeoutMs: undefined },
    fetch: async (request: Request) => {
      notified.push({ body: JSON.parse(await request.text()), solver: address })
      return Response.json({})
    },
  })
  const lose = async (rules: Partial<DecisionDeps> = {}) => {
    notified.length = 0
    background.length = 0
    const solvers = [better, worse].map(connect) as unknown as DecisionDeps['solvers']
    const proposals = [
      propose(better, 9n, placed[0]),
      { ...propose(better, 7n, placed[0]), solutionId: 2 },
      { ...propose(worse, 5n, placed[0]), solutionId: 3 },
      { ...propose(worse, 4n, placed[0]), solutionId: 4 },
    ]
    const collect = (work: Promise<unknown>) => background.push(work)
    await decide(proposals, undefined, 1n, undefined, { solvers, background: collect, ...rules })
    await Promise.all(background)
  }

  test('a solver is notified of its best solution that lost to another solver, by how much', async () => {
    await lose()
    expect(notified).toHaveLength(1)
    expect(notified[0]).toMatchObject({ solver: worse, body: { kind: 'lost', solutionId: 3 } })
    expect(notified[0]?.body.reason).toBe(`${better} won with an order of it by a score higher by 4 wei`)
  })

  test('losers are not notified while the competition is hidden', async () => {
    await lose({ hideBeforeDeadline: true })
    expect(notified).toEqual([])
  })
})
