import type { Address, Hex } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import type { SolveRequestBody } from '#shared/solvers/driverApi.ts'
import { startTestDriver, type TestDriver } from '#test/helpers/solvers/testDriver.ts'
import type { Auction } from '../auction.ts'
import type { CollectSolutionsDeps } from './collectDeps.ts'
import { collectSolutions } from './collectSolutions.ts'
import { createReadability } from './createReadability.ts'

const [solver, rival]: Address[] = [`0x${'5a'.repeat(20)}`, `0x${'5b'.repeat(20)}`] as [Address, Address]
const [sellToken, buyToken] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`] as [Address, Address]
const [first, second, unknown] = ['11', '22', '33'].map((byte): Hex => `0x${byte.repeat(56)}`) as [Hex, Hex, Hex]
const amounts = { sellAmount: 1_000n, buyAmount: 1_000n, feeAmount: 0n, executedSellAmount: 0n, executedBuyAmount: 0n }
const order = { kind: 'sell', partiallyFillable: false, sellToken, buyToken, ...amounts, executedFeeAmount: 0n }
const bodyOf = (uid: Hex) =>
  JSON.stringify({ uid, kind: 'sell', sellToken, buyToken, sellAmount: '1000', buyAmount: '1000' })
const auction = {
  ...{
    id: 7,
    block: 1,
    quotes: new Map(),
    feePolicies: new Map(),
    certainty: new Map(),
    funds: new Map(),
    required: new Map(),
    content: '',
  },
  orders: new Map([first, second].map((uid) => [uid, order])),
  prices: new Map([sellToken, buyToken].map((token) => [token, 10n ** 18n])),
  body: { prices: {}, orders: [first, second].map((uid) => ({ uid, body: bodyOf(uid) })) },
} as unknown as Auction

let drivers: TestDriver[] = []
let logged: Record<string, unknown>[] = []
afterEach(async () => {
  await Promise.all(drivers.map(({ stop }) => stop()))
  drivers = []
  logged = []
})

/** A body of POST `solve`: all orders, or changes. */
type SentBody = { id: string; deadline: string; base?: string; orders?: unknown[] }

const execution = {
  ...({ side: 'sell', sellToken, buyToken, limitSell: '1000', limitBuy: '1000' } as const),
  ...{ executedSell: '1000', executedBuy: '1100' },
}
const solutionOf = (address: Address, solutionId: number, uids: Hex[]) => ({
  ...{ solutionId, submissionAddress: address, score: '0' },
  orders: Object.fromEntries(uids.map((uid) => [uid, execution])),
})
/** Proposes these sets of orders in any auction. */
const start = async (address: Address, sets: Hex[][]): Promise<TestDriver> => {
  const solve = (_: SolveRequestBody) => ({ solutions: sets.map((uids, i) => solutionOf(address, i, uids)) })
  const driver = await startTestDriver({ name: address.slice(2, 4), address, execute: () => undefined, solve })
  drivers.push(driver)
  return driver
}

const collect = async (changes: Partial<CollectSolutionsDeps> = {}, auctionChanges: Partial<Auction> = {}) => {
  const background: Promise<unknown>[] = []
  const deps: CollectSolutionsDeps = {
    network: networks.sepolia,
    solvers: drivers.map((driver) => driver.solver),
    now: Date.now,
    log: (entry) => logged.push(entry),
    solveTimeMs: 20_000,
    jitOrderOwners: new Set(),
    bases: new Map(),
    readability: createReadability({
      now: Date.now,
      log: () => undefined,
      background: () => undefined,
      record: async () => undefined,
    }),
    background: (work) => background.push(work),
    findAllowed: async () => new Set([solver, rival] as Address[]),
    findListed: async () => new Set(),
    exclusionOf: () => undefined,
    maySee: () => true,
    ...changes,
  }
  const collected = await collectSolutions(deps, { ...auction, ...auctionChanges })
  await Promise.all(background)
  return collected
}

describe('collectSolutions', () => {
  test('reads ids of 64 bits that come as numbers, and names them exactly in the notice', async () => {
    const id = '18446744073709551615'
    const orders = JSON.stringify({ [first]: execution })
    const toText = (solutionId: string) =>
      `{"solutionId":${solutionId},"submissionAddress":"${solver}","score":"0","orders":${orders}}`
    const asked: [string, string][] = []
    const fetch = async (request: Request) => {
      asked.push([new URL(request.url).pathname, await request.text()])
      return new Response(`{"solutions":[${[id, '18446744073709551616', id].map(toText).join()}]}`)
    }
    const solvers = [{ name: 'large', address: solver as Address, baseUrl: 'https://large.example', fetch }]
    const { solutions } = await collect({ solvers: solvers as unknown as CollectSolutionsDeps['solvers'] })
    expect(solutions.map(({ solutionId }) => solutionId)).toEqual([2n ** 64n - 1n])
    expect(logged).toMatchObject([
      { message: 'solution rejected', solutionId: id, reason: 'solution id used twice' },
      { message: 'solution rejected', reason: expect.stringContaining('solutionId: an integer below 2^64') },
    ])
    expect(asked.at(-1)).toEqual(['/notify', expect.stringContaining(`{"solutionId":${id},"auctionId":"7"`)])
  })

  test('scores and judges an order that signs a fee without it, and records the amounts that leave the owner', async () => {
    let executedBuy = '11000'
    const solve = () => ({
      solutions: [
        {
          ...{ solutionId: 1, submissionAddress: solver as Address, score: '0' },
          orders: { [first]: { ...execution, executedSell: '1900', executedBuy } },
        },
      ],
    })
    drivers.push(await startTestDriver({ name: 'fee', address: solver as Address, execute: () => undefined, solve }))
    const withFee = { ...auction, orders: new Map([[first, { ...order, feeAmount: 900n }]]) } as unknown as Auction
    // eleven times the known rate without the fee, less than six times with it
    expect((await collect({}, withFee)).solutions).toEqual([])
    expect(logged.at(-1)).toMatchObject({ reason: expect.stringContaining('buys 11000 for 1000') })
    executedBuy = '1100'
    const [accepted] = (await collect({}, withFee)).solutions
    expect(accepted?.score).toBe(100n)
    expect(accepted?.orders.get(first)).toMatchObject({ executedSell: 1_900n, executedBuy: 1_100n })
  })

  test.each<[string, Response, string]>([
    ['is a web page', new Response('<html></html>'), 'Garbage: status 200, body is not JSON'],
    ['is a redirect', new Response(null, { status: 307 }), 'Garbage: status 307, redirects are not followed'],
  ])('notifies a driver whose whole response %s', async (_, response, reason) => {
    const notices: unknown[] = []
    const fetch = async (request: Request) => {
      if (new URL(request.url).pathname === '/solve') return response
      notices.push(await request.json())
      return Response.json({})
    }
    const solvers = [{ name: 'odd', address: solver as Address, baseUrl: 'https://odd.example', fetch }]
    await collect({ solvers: solvers as unknown as CollectSolutionsDeps['solvers'] })
    expect(notices).toEqual([{ auctionId: '7', solutionId: null, kind: 'rejected', reason }])
  })

  test('accepts hex amounts, no score and ids of 64 bits as text', async () => {
    const orders = { [first]: { ...execution, executedSell: '0x3e8', executedBuy: '0x44c' } }
    const id = '18446744073709551615'
    const solve = () => ({ solutions: [{ solutionId: id, submissionAddress: solver as Address, orders }] })
    drivers.push(await startTestDriver({ name: 'hex', address: solver as Address, execute: () => undefined, solve }))
    const { solutions } = await collect()
    expect(solutions).toMatchObject([{ solutionId: id, score: expect.anything() }])
    expect(solutions[0]?.orders.get(first)).toMatchObject({ executedSell: 1000n, executedBuy: 1100n })
  })

  test('a solver that does not respond or whose solution cannot be read is left out, with the reason', async () => {
    const sound = solutionOf(solver as Address, 2, [first])
    const solve = () => ({ solutions: [{ ...sound, solutionId: -1 }] })
    drivers.push(await startTestDriver({ name: 'odd', address: solver as Address, execute: () => undefined, solve }))
    const silent = { ...(drivers[0] as TestDriver).solver, name: 'silent', address: rival as Address }
    const fetch = async () =>
      Response.json({ kind: 'SolverFailed', description: 'https://node.example/key does not respond' }, { status: 500 })
    const { leftOut } = await collect({ solvers: [(drivers[0] as TestDriver).solver, { ...silent, fetch }] })
    expect(leftOut).toEqual([
      { solver, kind: 'rejected', reason: expect.stringContaining('solutionId') },
      { solver: rival, kind: 'failed', reason: 'SolverFailed, status 500' },
    ])
  })

  test('measures the time until each response', async () => {
    await start(solver as Address, [[first]])
    let clock = 1_000
    const { solutions } = await collect({ now: () => (clock += 7) })
    expect(solutions[0]?.responseMs).toBeGreaterThan(0)
  })

  test('rejects a malformed solution with its reason, and accepts the one beside it', async () => {
    const sound = solutionOf(solver as Address, 2, [first])
    const solve = () => ({ solutions: [{ ...sound, solutionId: -1 }, { ...sound, orders: 7 as never }, sound] })
    drivers.push(await startTestDriver({ name: 'odd', address: solver as Address, execute: () => undefined, solve }))
    const { solutions } = await collect()
    expect(solutions.map(({ solutionId }) => solutionId)).toEqual([2])
    expect(logged).toMatchObject([
      { message: 'solution rejected', solver: 'odd', reason: expect.stringContaining('solutionId') },
      { message: 'solution rejected', solver: 'odd', reason: expect.stringContaining('orders') },
    ])
  })

  describe('two solvers behind one driver', () => {
    const collectHeaders = async (changes: [object, object], more: Partial<CollectSolutionsDeps> = {}) => {
      const sent: { header: string | null; deadline: number }[] = []
      const fetch = async (request: Request) => {
        const { deadline } = (await request.json()) as SentBody
        sent.push({ header: request.headers.get('X-Auction-Id'), deadline: Date.parse(deadline) })
        return Response.json({ solutions: [] })
      }
      const solvers = [solver, rival].map((address, i) => {
        const baseUrl = `https://driver.example/${i}`
        return { ...{ name: `s${i}`, address, baseUrl, timeoutMs: undefined, fetch }, ...changes[i] }
      })
      await collect({ solvers, now: () => 1_000_000_000_000, ...more })
      return sent
    }

    test('share the value of X-Auction-Id exactly when they share the body', async () => {
      const same = await collectHeaders([{}, {}])
      expect(same.map(({ header }) => header)).toEqual(['7', '7'])
      const maySee = (address: Address, uid: Hex) => address === solver || uid === first
      const [one, other] = await collectHeaders([{}, {}], { maySee })
      expect(one?.header).toMatch(/^\d{1,18}$/)
      expect(other?.header).toMatch(/^\d{1,18}$/)
      expect(one?.header).not.toBe(other?.header)
    })

    test('have the deadlines of their own time limits', async () => {
      const sent = await collectHeaders([{ timeoutMs: 5_000 }, { timeoutMs: 60_000 }])
      expect(sent.map(({ deadline }) => deadline - 1_000_000_000_000)).toEqual([5_000, 20_000])
      expect(sent[0]?.header).not.toBe(sent[1]?.header)
    })
  })

  describe('a driver that takes deltas', () => {
    const bodies = (...uids: [uid: Hex, body: string][]) => ({
      body: { prices: {}, orders: uids.map(([uid, body]) => ({ uid, body })) },
    })
    const startTaking = async (solve: (request: SentBody) => Response | undefined = () => undefined) => {
      const sent: SentBody[] = []
      const fetch = async (request: Request) => {
        const body = (await request.json()) as SentBody
        sent.push(body)
        return solve(body) ?? Response.json({ solutions: [solutionOf(solver, 1, [first])] })
      }
      const taking = { name: 'taking', address: solver, baseUrl: 'http://taking', timeoutMs: undefined, fetch }
      return { sent, deps: { solvers: [{ ...taking, takesDeltas: true }], bases: new Map() } }
    }

    test('receives all orders once, and then what changed since its last response', async () => {
      const { sent, deps } = await startTaking()
      const old = bodies([first, bodyOf(first)], [second, bodyOf(second)])
      const changed = JSON.stringify({ uid: second, executed: '1' })
      await collect(deps, { id: 7, ...old })
      await collect(deps, { id: 8, ...bodies([unknown, bodyOf(unknown)], [first, bodyOf(first)], [second, changed]) })
      const { solutions } = await collect(deps, { id: 9, ...bodies([first, bodyOf(first)], [second, changed]) })
      expect(sent).toMatchObject([
        { kind: 'full', id: '7', orders: [{ uid: first }, { uid: second }] },
        {
          ...{ kind: 'delta', id: '8', base: '7', removedOrders: [] },
          updatedOrders: [{ uid: unknown }, { uid: second, executed: '1' }],
        },
        { kind: 'delta', id: '9', base: '8', removedOrders: [unknown], updatedOrders: [] },
      ])
      // a driver that knows no deltas refuses them, because it misses the orders
      expect(sent.map(({ orders }) => orders !== undefined)).toEqual([true, false, false])
      expect(solutions).toHaveLength(1)
    })

    test('receives all orders within the same deadline when it lost the base', async () => {
      const unknownBase = Response.json({ kind: 'UnknownBase', description: '' }, { status: 409 })
      const { sent, deps } = await startTaking(({ base }) => (base ? unknownBase : undefined))
      await collect(deps, { id: 7 })
      const { solutions } = await collect(deps, { id: 8 })
      expect(sent.map(({ id, base, orders }) => [id, base, orders?.length])).toEqual([
        ['7', undefined, 2],
        ['8', '7', undefined],
        ['8', undefined, 2],
      ])
      expect(sent[2]?.deadline).toBe(sent[1]?.deadline)
      expect(solutions).toHaveLength(1)
    })

    test('receives all orders after a failure', async () => {
      const failed = Response.json({ kind: 'Unavailable', description: '' }, { status: 503 })
      const { sent, deps } = await startTaking(({ id }) => (id === '8' ? failed : undefined))
      for (const id of [7, 8, 9]) await collect(deps, { id })
      expect(sent.map(({ base }) => base)).toEqual([undefined, '7', undefined])
    })

    test('receives a kilobyte of a thousand orders when one of them changed', async () => {
      const { sent, deps } = await startTaking()
      const uids = Array.from({ length: 1_000 }, (_, i): Hex => `0x${String(i).padStart(112, '0')}`)
      const textOf = (uid: Hex) => JSON.stringify({ uid, signature: '0x'.padEnd(800, 'a') })
      const all = uids.map((uid): [Hex, string] => [uid, textOf(uid)])
      await collect(deps, { id: 7, ...bodies(...all) })
      await collect(deps, { id: 8, ...bodies(...all.slice(1), [unknown, textOf(unknown)]) })
      const sizes = sent.map((body) => JSON.stringify(body).length)
      expect(sizes[0]).toBeGreaterThan(900_000)
      expect(sizes[1]).toBeLessThan(2_000)
    })
  })

  test('rejects only solutions with just-in-time orders while these cannot be looked up', async () => {
    await start(solver as Address, [[first, unknown], [second]])
    const { solutions } = await collect({ findListed: () => Promise.reject(new Error('away')) })
    expect(solutions.map(({ solutionId }) => solutionId)).toEqual([1])
    expect(logged).toMatchObject([
      { message: 'just-in-time orders not looked up', cause: 'Error: away' },
      { message: 'solution rejected', solutionId: 0, reason: 'its just-in-time orders cannot be looked up now' },
    ])
  })

  test('sends a suspended solver only orders that it may win, and rejects solutions with other orders', async () => {
    const out = await start(rival as Address, [[first], [second]])
    const returned = await start(solver as Address, [[first], [second]])
    const { solutions, leftOut } = await collect({
      exclusionOf: (address) => ({ kind: address === rival ? 'suspended' : 'yielded', reason: 'late' }),
      maySee: (_, uid) => uid === second,
    })
    expect(out.solved[0]?.orders.map(({ uid }) => uid)).toEqual([second])
    expect(returned.solved[0]?.orders.map(({ uid }) => uid)).toEqual([second])
    expect(solutions.map(({ solutionId }) => solutionId)).toEqual([1, 1])
    expect(logged).toMatchObject([
      { reason: `order ${first}: the solver is suspended and may not win it` },
      { reason: `order ${first}: the solver is suspended and may not win it` },
    ])
    expect(leftOut.map(({ kind, reason }) => [kind, reason]).toSorted()).toEqual([
      ['suspended', 'late'],
      ['yielded', 'late'],
    ])
  })

  test('sends no request to a solver that may win none of the orders', async () => {
    const suspended = await start(solver as Address, [[first]])
    await collect({ maySee: () => false })
    expect(suspended.solved).toEqual([])
  })

  test('shows orders that need a wrapper or a loan only to solvers that support it', async () => {
    const plain = await start(rival as Address, [[first], [second]])
    const able = await start(solver as Address, [[first], [second]])
    const required = new Map([[first, ['wrappers', 'flashloans'] as const]])
    const solvers = drivers.map(({ solver }) =>
      solver.address === rival
        ? { ...solver, supports: new Set(['wrappers'] as const) }
        : { ...solver, supports: new Set(['wrappers', 'flashloans'] as const) },
    )
    const { solutions } = await collect({ solvers }, { required })
    expect(plain.solved[0]?.orders.map(({ uid }) => uid)).toEqual([second])
    expect(able.solved[0]?.orders.map(({ uid }) => uid)).toEqual([first, second])
    expect(solutions.map(({ solver, solutionId }) => [solver, solutionId])).toEqual([
      [rival, 1],
      [solver, 0],
      [solver, 1],
    ])
    expect(logged).toMatchObject([{ reason: expect.stringContaining('needs what the solver does not support') }])
  })

  test('notifies a solver of its first rejection only, and waits for no driver', async () => {
    const driver = await start(solver as Address, [[unknown], [first, unknown], [second]])
    const { solutions } = await collect({ findListed: async () => new Set([unknown]) })
    expect(solutions).toHaveLength(1)
    expect(driver.notified).toEqual([
      { auctionId: '7', solutionId: 0, kind: 'rejected', reason: `order ${unknown} is not in the auction` },
    ])
  })
})
