import type { Address } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { answering, quotingAt, type RunningSolver, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { settlesBefore } from '#test/helpers/stack/settles.ts'
import { createFirstWaits } from './createFirstWaits.ts'
import { findPrices } from './findPrices.ts'
import type { PriceCache } from './requestPrices.ts'

const network = networks.sepolia
const wei = 10n ** 18n
const tokenOf = (seed: number): Address => `0x${seed.toString(16).padStart(40, '0')}`

let solver: RunningSolver
let cache: PriceCache
let clock: number
let background: Promise<unknown>[]

beforeEach(() => {
  cache = new Map()
  clock = 1_000_000
  background = []
})
afterEach(async () => {
  await Promise.all(background)
  await solver.stop()
})

const find = (tokens: Address[], ...others: RunningSolver[]) =>
  findPrices(
    {
      network,
      solvers: [solver, ...others].map((running) => running.solver),
      now: () => clock,
      log: () => undefined,
      background: (work) => background.push(work),
    },
    cache,
    createFirstWaits(() => clock),
    tokens,
  )
const settle = () => Promise.all(background.splice(0))

test('requests a token without a market once per maximum age, and one without a response after seconds', async () => {
  solver = await startSolver('solver', quotingAt({}))
  const [token] = [tokenOf(1)]
  for (const waited of [0, 29_999]) {
    clock += waited
    expect((await find([token])).size).toBe(0)
    await settle()
    expect(solver.asked).toHaveLength(2)
  }
  clock += 1
  await find([token])
  await settle()
  expect(solver.asked).toHaveLength(4)
  await solver.stop()

  solver = await startSolver('silent', answering('oops', 500))
  cache.clear()
  for (const [waited, asked] of [
    [0, 1],
    [4_999, 1],
    [1, 2],
  ] as const) {
    clock += waited
    await find([token])
    await settle()
    expect(solver.asked).toHaveLength(asked)
  }
})

test('a solver without a route does not speak for one that is silent: the price is requested again, ever less often', async () => {
  const [token] = [tokenOf(1)]
  solver = await startSolver('routeless', quotingAt({}))
  const silent = await startSolver('silent', answering('oops', 500))
  try {
    let asked = 0
    for (const delay of [5_000, 10_000, 20_000, 30_000, 30_000]) {
      await find([token], silent)
      await settle()
      asked += 2
      expect(solver.asked).toHaveLength(asked)
      clock += delay - 1
      await find([token], silent)
      await settle()
      expect(solver.asked).toHaveLength(asked)
      clock += 1
    }
  } finally {
    await silent.stop()
  }
})

test('many tokens delay an auction no longer than one; later prices are used in the next auction', async () => {
  const tokens = Array.from({ length: 64 }, (_, i) => tokenOf(i + 1))
  const values = Object.fromEntries([network.wrappedNative, ...tokens].map((token) => [token, wei]))
  solver = await startSolver('slow', quotingAt(values, { afterMs: 700 }))
  const first = await settlesBefore(4_500, find([network.wrappedNative, ...tokens]))
  expect(first.size).toBeGreaterThan(1)
  expect(first.size).toBeLessThan(tokens.length)
  await find(tokens)
  await settle()
  expect((await find(tokens)).size).toBe(tokens.length)
  expect(solver.asked).toHaveLength(2 * tokens.length)
})

test('prices stay known and are refreshed when the system time jumps an hour in either direction', async () => {
  const [token] = [tokenOf(1)]
  solver = await startSolver('solver', quotingAt({ [network.wrappedNative]: wei, [token]: wei }))
  await find([token])
  await settle()
  for (const jump of [-3_600_000, 3_600_000, 3_600_000, -3_600_000]) {
    const asked = solver.asked.length
    clock += jump
    expect((await find([token])).size).toBe(1)
    await settle()
    expect(solver.asked.length).toBeGreaterThan(asked)
    expect((await find([token])).size).toBe(1)
    await settle()
    expect(solver.asked).toHaveLength(asked + 2)
  }
})

test.each([
  ['no route', () => quotingAt({})],
  ['a wild price', () => quotingAt({ [tokenOf(1)]: 1_000n * wei, [network.wrappedNative]: wei })],
])('a known price outlives a solver that says %s while the others fail, for ten times its age', async (_, answers) => {
  const token = tokenOf(1)
  solver = await startSolver('honest', quotingAt({ [token]: wei, [network.wrappedNative]: wei }))
  const known = await find([token])
  expect(known.size).toBe(1)
  await solver.stop()

  solver = await startSolver('odd', answers())
  for (let waited = 30_000; waited < 300_000; waited += 30_000) {
    clock += 30_000
    expect(await find([token])).toEqual(known)
    await settle()
    expect(await find([token])).toEqual(known)
  }
  clock += 30_000
  await find([token])
  await settle()
  expect(await find([token])).not.toEqual(known)
})

test('a market that is moved for two of five minutes moves no price, one that stays does', async () => {
  const token = tokenOf(1)
  let value = wei
  solver = await startSolver('solver', (request, response) =>
    quotingAt({ [token]: value, [network.wrappedNative]: wei })(request, response),
  )
  const passMinutes = async (minutes: number) => {
    for (let waited = 0; waited < 2 * minutes; waited += 1) {
      clock += 30_000
      await find([token])
      await settle()
    }
    return (await find([token])).get(token)
  }
  expect(await passMinutes(5)).toBe(wei)
  for (const moved of [8n * wei, wei / 8n]) {
    value = moved
    expect(await passMinutes(2)).toBe(wei)
    value = wei
    expect(await passMinutes(3)).toBe(wei)
  }
  value = 2n * wei
  expect(await passMinutes(3)).toBe(2n * wei)
})
