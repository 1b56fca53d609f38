import type { Address, Hex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import type { ListedOrder } from '#schema/queries/auctions/auctions.ts'
import type { DriverRefusal } from '#schema/queries/events/driverRefusals.ts'
import { networks } from '#shared/networks.ts'
import { SolverError } from '#shared/solvers/requestSolver.ts'
import { type RunningSolver, startSolver } from '#test/helpers/solvers/startSolver.ts'
import type { Auction } from '../auction.ts'
import { createSolveBodies } from '../solvers/solveBodies.ts'
import type { CollectSolutionsDeps } from './collectDeps.ts'
import { createReadability, type Readability } from './createReadability.ts'
import { requestProposals } from './requestProposals.ts'

const address: Address = `0x${'5a'.repeat(20)}`
const uidOf = (i: number): Hex => `0x${i.toString(16).padStart(112, '0')}`
const orderOf = (i: number, fields: object = {}): ListedOrder => ({
  uid: uidOf(i),
  body: JSON.stringify({ uid: uidOf(i), sellAmount: String(i), ...fields }),
})
/** Fee policy in the form that the public drivers refuse: its quote lacks `solver`. */
const partnerFee = { protocolFees: [{ priceImprovement: { factor: 0.5, quote: { fee: '0' } } }] }
const honest = Array.from({ length: 300 }, (_, i) => orderOf(i + 1))

type Body = { orders: Record<string, unknown>[]; deadline: string }
type Refuse = (body: Body, text: string) => { status: number; text: string } | undefined

let drivers: RunningSolver[] = []
let refusals: DriverRefusal[] = []
let clock = 0
let auctionId = 0
afterEach(async () => {
  await Promise.all(drivers.map(({ stop }) => stop()))
  drivers = []
  refusals = []
})

/**
 * A driver that proposes one solution for each order of a body that it reads. Like a public one, it requires a decimal
 * `X-Auction-Id`, and takes a body with the value of the last one for that one.
 */
const start = async (refuse: Refuse) => {
  const bodies: (Body & { isRefused: boolean })[] = []
  let newest: { header: unknown; text: string } = { header: undefined, text: '' }
  const driver = await startSolver(
    'public',
    async (request, response) => {
      const chunks = await request.toArray().catch(() => undefined)
      if (!chunks) return
      const header = request.headers['x-auction-id']
      if (newest.header !== header) newest = { header, text: Buffer.concat(chunks).toString() }
      const { text } = newest
      const body: Body = JSON.parse(text)
      const refusal = /^\d{1,18}$/.test(String(header)) ? refuse(body, text) : malformed('X-Auction-Id')
      bodies.push({ ...body, isRefused: refusal !== undefined })
      response.writeHead(refusal?.status ?? 200, { 'Content-Type': 'application/json' })
      const solutions = body.orders.map(({ uid }, solutionId) => ({
        ...{ solutionId, submissionAddress: address, score: '0' },
        orders: { [String(uid)]: execution },
      }))
      response.end(refusal?.text ?? JSON.stringify({ solutions }))
    },
    { address },
  )
  drivers.push(driver)
  return { driver, bodies }
}
const execution = {
  ...{ side: 'sell', sellToken: address, buyToken: address, limitSell: '1', limitBuy: '1' },
  ...{ executedSell: '1', executedBuy: '1' },
}

const create = (): Readability => {
  clock = Date.now()
  return createReadability({
    now: () => clock,
    log: () => undefined,
    background: () => undefined,
    record: async (_, found) => refusals.push(...found),
  })
}

/** Holds one auction. @returns UIDs of the last body that was not a probe */
const hold = async (
  { driver, bodies }: Awaited<ReturnType<typeof start>>,
  readability: Readability,
  orders: readonly ListedOrder[],
) => {
  bodies.length = 0
  auctionId += 1
  const auction = { id: auctionId, required: new Map(), body: { orders, prices: {} } } as unknown as Auction
  const deadline = clock + 10_000
  const deps = {
    ...{ network: networks.sepolia, bases: new Map(), readability, now: () => clock, solveTimeMs: 10_000 },
    ...{ log: () => undefined, maySee: () => true },
  } as unknown as CollectSolutionsDeps
  const { solutions: proposed } = await requestProposals(
    deps,
    driver.solver,
    auction,
    createSolveBodies(new Set(), auction),
    clock,
  )
  const sent = bodies.filter((body) => Date.parse(body.deadline) === deadline)
  const probes = bodies.length - sent.length
  const last = sent.at(-1)
  const uids = last && !last.isRefused ? last.orders.map(({ uid }) => uid as Hex) : []
  expect(proposed).toHaveLength(Math.min(uids.length, 10))
  return { uids, sent: sent.length, probes }
}

const malformed = (description: string) => ({
  status: 400,
  text: JSON.stringify({ kind: 'MalformedRequest', description }),
})
const hasPartnerFee = ({ orders }: Body) => orders.findIndex(({ protocolFees }) => protocolFees !== undefined)

/** Drivers that refuse a partner fee, each in its own words. */
const words: [string, Refuse, number][] = [
  ['without a reason', (body) => (hasPartnerFee(body) < 0 ? undefined : { status: 422, text: 'no' }), 20],
  ['with an internal error', (body) => (hasPartnerFee(body) < 0 ? undefined : { status: 500, text: '' }), 20],
  [
    'naming the column',
    (body, text) =>
      hasPartnerFee(body) < 0
        ? undefined
        : malformed(`missing field \`solver\` at line 1 column ${text.indexOf('"fee":"0"') + 9}`),
    5,
  ],
  [
    'naming the path',
    (body) => {
      const place = hasPartnerFee(body)
      return place < 0 ? undefined : malformed(`orders.${place}.protocolFees: invalid`)
    },
    5,
  ],
]

test.each(words)(
  'an order that a driver refuses %s stops no other one, and is named to its owner',
  async (_, refuse, most) => {
    const public1 = await start(refuse)
    const readability = create()
    const book = [...honest.slice(0, 100), orderOf(1_000, partnerFee), ...honest.slice(100)]
    const first = await hold(public1, readability, book)
    expect(first.uids).toHaveLength(300)
    expect(first.probes).toBeLessThanOrEqual(most)
    expect(refusals).toMatchObject([
      { uid: uidOf(1_000), solver: 'public', reason: expect.stringMatching(/^\w+, status \d{3}$/) },
    ])

    // the verdict is remembered
    expect(await hold(public1, readability, book)).toMatchObject({ sent: 1, probes: 0 })
    // another order of this form is probed before it can stop the auction
    const second = await hold(public1, readability, [...book, orderOf(1_001, partnerFee), orderOf(400)])
    expect(second.sent).toBe(1)
    expect(second.probes).toBeLessThanOrEqual(5)
    expect(second.uids).toHaveLength(301)
    expect(refusals).toHaveLength(2)
  },
)

test('three hundred hostile orders delay no order that the driver has read before, and an honest one by their number', async () => {
  const isHostile = ({ sellAmount }: Record<string, unknown>) => Number(sellAmount) >= 10_000
  const driver = await start(({ orders }) => (orders.some(isHostile) ? { status: 400, text: '{}' } : undefined))
  const readability = create()
  expect((await hold(driver, readability, honest)).uids).toHaveLength(300)
  const hostile = Array.from({ length: 300 }, (_, i) => orderOf(10_000 + i))
  const book = [...honest, ...hostile.slice(0, 150), orderOf(500), ...hostile.slice(150)]
  let auctions = 0
  for (let isFound = false; !isFound; auctions++) {
    const { uids, sent, probes } = await hold(driver, readability, book)
    expect(uids.length).toBeGreaterThanOrEqual(300)
    expect(sent + probes).toBeLessThanOrEqual(66)
    isFound = uids.includes(uidOf(500))
  }
  expect(auctions).toBeLessThan(20)
})

test('a driver that refuses everything gets three requests, then one for each auction', async () => {
  const driver = await start(() => ({ status: 400, text: '<html>' }))
  const readability = create()
  expect(await hold(driver, readability, honest)).toMatchObject({ sent: 1, probes: 2, uids: [] })
  expect(await hold(driver, readability, honest)).toMatchObject({ sent: 1, probes: 0 })
  expect(refusals).toEqual([])
  clock += 61_000
  expect(await hold(driver, readability, honest)).toMatchObject({ sent: 1, probes: 2 })
})

test.each(['SolverFailed', 'DeadlineExceeded'])(
  'a driver that fails with %s after reading gets no probes',
  async (kind) => {
    const driver = await start(() => ({ status: 400, text: JSON.stringify({ kind, description: 'no' }) }))
    expect(await hold(driver, create(), honest)).toMatchObject({ sent: 1, probes: 0 })
  },
)

test('a refused order returns after an hour, and one driver decides nothing about another', async () => {
  let isUpdated = false
  const old = await start((body) => (isUpdated || hasPartnerFee(body) < 0 ? undefined : malformed('unknown')))
  const readability = create()
  const book = [...honest, orderOf(1_000, partnerFee)]
  expect((await hold(old, readability, book)).uids).toHaveLength(300)
  isUpdated = true
  clock += 3_600_001
  expect((await hold(old, readability, book)).uids).toHaveLength(301)
  const other = await start(() => undefined)
  other.driver.solver.name = 'other'
  expect((await hold(other, readability, book)).uids).toHaveLength(301)
})

test('the form of an order is computed once for all drivers, however often they fail', async () => {
  let reads = 0
  const orders = honest.map(
    ({ uid, body }): ListedOrder => ({
      uid,
      get body() {
        reads += 1
        return body
      },
    }),
  )
  const strange = orderOf(1_000, partnerFee)
  const readability = create()
  const failing = async (solver: string) => {
    reads = 0
    let isFirst = true
    const call = {
      ...{ solver, auctionId: 1, orders: [...orders, strange], until: clock + 10_000 },
      probe: async (probed: readonly ListedOrder[]) => {
        if (probed.includes(strange)) throw new SolverError('MalformedRequest', 'no', 400)
      },
      send: async () => {
        if (!isFirst) throw new SolverError('Timeout', 'late')
        isFirst = false
        throw new SolverError('MalformedRequest', 'no', 400)
      },
    }
    await expect(readability.request(call)).rejects.toThrow('late')
    // the strange order is refused, and none is proven
    await expect(
      readability.request({ ...call, send: () => Promise.reject(new SolverError('Timeout', 'again')) }),
    ).rejects.toThrow('again')
    return reads
  }
  expect(await failing('first')).toBeGreaterThanOrEqual(300)
  expect([await failing('first'), await failing('second')]).toEqual([0, 0])
})

/** An order of an account of its own. */
const strangerOf = (i: number): ListedOrder => {
  const part = i.toString(16)
  const uid: Hex = `0x${part.padStart(64, '0')}${part.padStart(40, '0')}${'f'.repeat(8)}`
  return { uid, body: JSON.stringify({ uid, sellAmount: String(i) }) }
}
const strangersOf = (count: number) => Array.from({ length: count }, (_, i) => strangerOf(10_000 + i))
/** Numbers of the strangers in a body. */
const listStrangers = ({ orders }: Body) =>
  orders.flatMap(({ sellAmount }) => (Number(sellAmount) >= 10_000 ? [Number(sellAmount)] : []))
const refuseIf =
  (isRefused: (strangers: number[], body: Body) => boolean): Refuse =>
  (body) =>
    isRefused(listStrangers(body), body) ? { status: 400, text: '{}' } : undefined

/** Strangers, and auctions in which each of them has a turn. */
const [crowd, turns] = process.env.LONG ? [30, 40] : [12, 18]
/** Orders that are readable alone, and refused in the company of others. */
const companies: [string, number, (strangers: number[]) => boolean][] = [
  ['pairs', 2 * crowd, (found) => new Set(found.map((i) => i >> 1)).size < found.length],
  ['any two', crowd, (found) => found.length > 1],
  ['any three', crowd, (found) => found.length > 2],
  [
    'triples',
    crowd,
    (found) => Object.values(Object.groupBy(found, (i) => Math.floor(i / 3))).some((each) => each?.length === 3),
  ],
  ['all', crowd, (found) => found.length === crowd],
]

test.each(companies)(
  '%s of %d orders that are refused together delay an honest order by two auctions at most',
  async (_, count, isRefused) => {
    const driver = await start(refuseIf(isRefused))
    const readability = create()
    expect((await hold(driver, readability, honest)).uids).toHaveLength(300)
    const strangers = strangersOf(count)
    const fresh = [orderOf(500), strangerOf(600), strangerOf(601)]
    const book = [...honest, ...strangers.slice(0, count / 2), ...fresh, ...strangers.slice(count / 2)]
    const seen = new Set<Hex>()
    for (let auction = 1; auction <= turns; auction++) {
      const { uids, sent, probes } = await hold(driver, readability, book)
      const sentUids = new Set(uids)
      expect(honest.filter(({ uid }) => !sentUids.has(uid))).toEqual([])
      if (auction >= 3) expect([auction, fresh.filter(({ uid }) => sentUids.has(uid)).length]).toEqual([auction, 3])
      expect(sent).toBeLessThanOrEqual(3)
      expect(probes).toBeLessThanOrEqual(66)
      for (const uid of uids) seen.add(uid)
      clock += 12_000
    }
    // each of them has its turn
    expect(strangers.filter(({ uid }) => !seen.has(uid)).length).toBe(0)
    const [named] = refusals
    expect(named?.reason).toMatch(/ beside other orders$/)
    expect(new Set(refusals.map(({ uid }) => uid)).size).toBe(refusals.length)
  },
)

test('an order beside which each new one is refused is left out of no two auctions in a row', async () => {
  const victim = orderOf(300)
  const driver = await start(
    refuseIf((strangers, { orders }) => strangers.length > 0 && orders.some(({ sellAmount }) => sellAmount === '300')),
  )
  const readability = create()
  expect((await hold(driver, readability, honest)).uids).toHaveLength(300)
  let missed = 0
  for (let auction = 1; auction <= 20; auction++) {
    const { uids } = await hold(driver, readability, [...honest, ...strangersOf(auction)])
    missed = uids.includes(victim.uid) ? 0 : missed + 1
    expect(missed).toBeLessThanOrEqual(1)
    expect(uids.length).toBeGreaterThanOrEqual(299)
    clock += 12_000
  }
})

test('a body that is too large is sent as far as the driver reads it, and the rest in turn', async () => {
  const driver = await start(({ orders }) => (orders.length > 200 ? { status: 413, text: '' } : undefined))
  const readability = create()
  const seen = new Set<Hex>()
  for (let auction = 1; auction <= turns; auction++) {
    const { uids } = await hold(driver, readability, honest.slice(0, 210))
    expect(uids).toHaveLength(200)
    for (const uid of uids) seen.add(uid)
    clock += 12_000
  }
  expect(seen.size).toBe(210)
})

test.each([2, 3, 5])(
  'a driver that reads one request of %i gets bounded requests, and all orders when it reads again',
  async (period) => {
    let [requests, isWell] = [0, false]
    const driver = await start(() => (isWell || requests++ % period === 0 ? undefined : { status: 500, text: '' }))
    const readability = create()
    for (let auction = 1; auction <= 10; auction++) {
      const { sent, probes } = await hold(driver, readability, [...honest, ...strangersOf(auction)])
      expect(sent).toBeLessThanOrEqual(3)
      expect(probes).toBeLessThanOrEqual(66)
      clock += 12_000
    }
    isWell = true
    clock += 3_600_001
    await hold(driver, readability, honest)
    expect((await hold(driver, readability, honest)).uids).toHaveLength(300)
  },
)

test('a driver that reads probes and refuses the auction receives the orders that it read before', async () => {
  const driver = await start((body) =>
    listStrangers(body).length > 1 && Date.parse(body.deadline) > clock ? { status: 400, text: '{}' } : undefined,
  )
  const readability = create()
  await hold(driver, readability, honest)
  for (let auction = 1; auction <= 3; auction++)
    expect((await hold(driver, readability, [...honest, ...strangersOf(2)])).uids).toHaveLength(300)
})
