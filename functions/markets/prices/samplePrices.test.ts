import type { Address, Hex } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { priceSamples } from '#schema/tables/markets/priceSamples.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { findSampledPrices, type TokensWorker } from './findSampledPrices.ts'
import { samplePrices } from './samplePrices.ts'

const network = networks.sepolia
const { wrappedNative, usdReference } = network
const usd = usdReference.address
const token = (index: number): Address => `0x${(index + 1).toString(16).padStart(40, '0')}` as Hex
const noon = Date.UTC(2026, 0, 1, 12)

const { database, close } = await startTestDatabase()

beforeEach(async () => {
  await database.delete(priceSamples)
  await database.delete(trades)
})
afterAll(close)

type Answer = (tokens: Address[]) => Response | Promise<Response>

const pricing: Answer = (tokens) =>
  Response.json(tokens.map((address) => ({ address, price: address === usd ? 1 : 2_500, status: 'price' })))

/** Stores a trade of each token for the wrapped native token; the last one is the oldest. */
const storeTrades = (tokens: Address[]) => {
  const rows = tokens.map((sellToken, i) => newTrade(tokens.length - i, { sellToken, buyToken: wrappedNative }))
  return database.insert(trades).values(rows.map((row) => ({ chainId: network.chainId, ...row })))
}

/** A sampler, its requests and its log. */
const open = (answer: Answer, now = noon) => {
  const calls: { path: string; tokens: Address[] }[] = []
  const logs: JsonObject[] = []
  const worker: TokensWorker = {
    fetch: async (request) => {
      const { tokenAddresses } = (await request.json()) as { tokenAddresses: Address[] }
      calls.push({ path: new URL(request.url).pathname, tokens: tokenAddresses })
      return answer(tokenAddresses)
    },
  }
  const deps = {
    database,
    findPrices: (tokens: readonly Address[]) => findSampledPrices(worker, network, tokens),
    now: () => now,
    log: (entry: JsonObject) => void logs.push(entry),
  }
  return { run: () => samplePrices(deps, network), calls, logs }
}

const readSamples = () => database.select().from(priceSamples).orderBy(priceSamples.token)

test('always samples the native token and the reference, a traded native token as the wrapped one', async () => {
  const { run, calls, logs } = open(pricing)
  await storeTrades([token(1), nativeSentinel, wrappedNative, token(1)])
  await run()
  expect(calls).toEqual([{ path: '/11155111/tokens/prices', tokens: [wrappedNative, usd, token(1)] }])
  expect(logs).toEqual([])
  const sampledAt = new Date(noon)
  expect(await readSamples()).toEqual([
    { chainId: network.chainId, token: token(1), sampledAt, price: 2_500 },
    { chainId: network.chainId, token: usd, sampledAt, price: 1 },
    { chainId: network.chainId, token: wrappedNative, sampledAt, price: 2_500 },
  ])
})

test('adds one sample per five minutes', async () => {
  const twice: Answer = (tokens) => Response.json(tokens.map(() => ({ price: 9 })))
  await open(pricing, noon + 1_000).run()
  await open(twice, noon + 299_000).run()
  expect((await readSamples()).map(({ price }) => price)).toEqual([1, 2_500])
  await open(twice, noon + 301_000).run()
  const samples = await readSamples()
  expect(samples).toHaveLength(4)
  expect(samples.map(({ sampledAt }) => sampledAt.getTime())).toEqual(expect.arrayContaining([noon, noon + 300_000]))
})

test('an unknown price is not stored', async () => {
  await open((tokens) => Response.json(tokens.map((address) => ({ price: address === usd ? null : 3 })))).run()
  expect(await readSamples()).toMatchObject([{ token: wrappedNative, price: 3 }])
})

test('samples at most 300 tokens, 100 per request', async () => {
  await storeTrades(Array.from({ length: 400 }, (_, i) => token(i)))
  const { run, calls } = open(pricing)
  await run()
  expect(calls.map(({ tokens }) => tokens.length)).toEqual([100, 100, 100])
  expect(await readSamples()).toHaveLength(300)
})

test.each<[string, Answer]>([
  ['down', () => Promise.reject(new Error('no such service'))],
  ['failing', () => Response.json({ message: 'x' }, { status: 503 })],
  ['saying garbage', () => new Response('<html>')],
  ['saying too little', () => Response.json([{ price: 1 }])],
  ['saying nonsense', (tokens) => Response.json(tokens.map(() => ({ price: -1 })))],
  ['endless', () => new Response('x'.repeat(100_000))],
])('a tokens Worker that is %s is logged, without a sample', async (_, answer) => {
  const { run, logs } = open(answer)
  await run()
  expect(await readSamples()).toEqual([])
  expect(logs).toMatchObject([{ message: 'prices not sampled', network: 'sepolia', unanswered: 2 }])
})

test('a failed request does not affect the others', async () => {
  let first = true
  await storeTrades(Array.from({ length: 150 }, (_, i) => token(i)))
  const { run, logs } = open((tokens) => {
    const answer = first ? new Response('', { status: 500 }) : pricing(tokens)
    first = false
    return answer
  })
  await run()
  expect(await readSamples()).toHaveLength(52)
  expect(logs).toMatchObject([{ unanswered: 100 }])
})
