import type { Address, Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import type { Auction } from '../auction.ts'
import type { CollectSolutionsDeps } from './collectDeps.ts'
import { collectSolutions } from './collectSolutions.ts'
import { createReadability } from './createReadability.ts'

const address: Address = `0x${'51'.repeat(20)}`
const [sellToken, buyToken]: Address[] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`]
const owner: Address = `0x${'0c'.repeat(20)}`
const uidOf = (i: number): Hex => packOrderUid(`0x${i.toString(16).padStart(64, '0')}`, owner, 4_102_444_800)
const ordinary = Array.from({ length: 60 }, (_, i) => uidOf(i))
const foreign = Array.from({ length: 60 }, (_, i) => uidOf(1_000 + i))

const order = {
  kind: 'sell',
  partiallyFillable: false,
  sellToken,
  buyToken,
  sellAmount: 100n,
  buyAmount: 100n,
  executedSellAmount: 0n,
  executedBuyAmount: 0n,
  executedFeeAmount: 0n,
  feeAmount: 0n,
}

const auction = {
  id: 7,
  block: 1,
  orders: new Map(ordinary.map((uid) => [uid, order])),
  prices: new Map([sellToken, buyToken].map((token) => [token, 10n ** 18n])),
  quotes: new Map(),
  feePolicies: new Map(),
  certainty: new Map(),
  funds: new Map(),
  required: new Map(),
  body: { orders: [{ uid: ordinary[0], body: '{"uid":"0x"}' }], prices: { [buyToken as Address]: '1' } },
  content: '',
} as unknown as Auction

/** A solution that executes orders one atom above their limits. */
const propose = (uids: readonly Hex[], solutionId = 1) => ({
  solutionId,
  submissionAddress: address,
  score: '1',
  orders: Object.fromEntries(
    uids.map((uid) => [
      uid,
      {
        side: 'sell',
        sellToken,
        buyToken,
        limitSell: '100',
        limitBuy: '100',
        executedSell: '100',
        executedBuy: '101',
      },
    ]),
  ),
})

let reasons: unknown[]
let lookedUp: Hex[][]
let sent: Record<string, unknown>[]

beforeEach(() => {
  reasons = []
  lookedUp = []
  sent = []
})

/** `listed` are the orders of the book; the solver responds with `solutions`. */
const collect = async (solutions: unknown[], { listed = [] as Hex[], allowed = [address] } = {}) => {
  const solver: Solver = {
    name: 'direct',
    address,
    baseUrl: 'http://solver',
    timeoutMs: undefined,
    fetch: async (request: Request) => {
      if (new URL(request.url).pathname === '/solve') sent.push((await request.json()) as Record<string, unknown>)
      return Response.json({ solutions })
    },
  }
  const deps: CollectSolutionsDeps = {
    network: networks.sepolia,
    solvers: [solver],
    now: () => 1_700_000_000_000,
    log: ({ message, reason }) => message === 'solution rejected' && reasons.push(reason),
    solveTimeMs: 2_000,
    jitOrderOwners: new Set(),
    bases: new Map(),
    readability: createReadability({
      now: Date.now,
      log: () => undefined,
      background: () => undefined,
      record: async () => undefined,
    }),
    background: () => undefined,
    exclusionOf: () => undefined,
    maySee: () => true,
    findAllowed: async () => new Set(allowed),
    findListed: async (uids) => {
      lookedUp.push([...uids])
      return new Set(uids.filter((uid) => listed.includes(uid)))
    },
  }
  return (await collectSolutions(deps, auction)).solutions
}

test('accepts a batch of more than fifty ordinary orders and looks none of them up', async () => {
  const [solution] = await collect([propose(ordinary)])
  expect(solution?.orders.size).toBe(60)
  expect(solution?.score).toBe(60n)
  expect(lookedUp).toEqual([[]])
})

test('accepts fifty just-in-time orders beside ordinary ones', async () => {
  expect(await collect([propose([...ordinary, ...foreign.slice(0, 50)])])).toHaveLength(1)
  expect(lookedUp).toEqual([foreign.slice(0, 50)])
})

test('rejects fifty-one just-in-time orders without looking them up', async () => {
  expect(await collect([propose([...ordinary, ...foreign.slice(0, 51)])])).toEqual([])
  expect(reasons).toEqual(['51 just-in-time orders, at most 50'])
  expect(lookedUp).toEqual([[]])
})

test('rejects a stored order presented as a just-in-time order', async () => {
  const posing = foreign.slice(0, 1)
  expect(await collect([propose([...ordinary.slice(0, 1), ...posing])], { listed: posing })).toEqual([])
  expect(reasons).toEqual([`order ${posing[0]} is not in the auction`])
})

test('rejects the second solution with the same id and accepts the first', async () => {
  const solutions = await collect([propose(ordinary.slice(0, 1)), propose(ordinary.slice(1, 3))])
  expect(solutions.map(({ score }) => score)).toEqual([1n])
  expect(reasons).toEqual(['solution id used twice'])
})

test('counts the first ten solutions of a solver', async () => {
  const ids = Array.from({ length: 11 }, (_, i) => i + 1)
  const solutions = await collect(ids.map((id) => propose(ordinary.slice(0, 1), id)))
  expect(solutions.map(({ solutionId }) => solutionId)).toEqual(ids.slice(0, 10))
})

test('rejects all solutions of an account that the settlement contract does not accept', async () => {
  expect(await collect([propose(ordinary.slice(0, 1))], { allowed: [] })).toEqual([])
  expect(reasons).toEqual(['account is no allowed solver'])
})

test('logs nothing about an account without solutions', async () => {
  expect(await collect([], { allowed: [] })).toEqual([])
  expect(reasons).toEqual([])
})

test('sends the auction with its prices and the deadline of all solvers', async () => {
  await collect([])
  expect(sent).toEqual([
    {
      kind: 'full',
      id: '7',
      tokens: [{ address: buyToken, price: '1', trusted: false }],
      deadline: new Date(1_700_000_002_000).toISOString(),
      surplusCapturingJitOrderOwners: [],
      orders: [{ uid: '0x' }],
    },
  ])
})
