import type { Address } from 'viem'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { requestNativePrice } from '#shared/solvers/requestNativePrice.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { ether, type Pool, pool, routingOver } from '#test/helpers/solvers/poolRouting.ts'
import { type RunningSolver, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { createEarlierPrices } from './createEarlierPrices.ts'

const token: Address = `0x${'10'.repeat(20)}`
const network = networks.sepolia
const market = pool(500n * ether)

const { database, close } = await startTestDatabase()
afterAll(close)

let clock: number
let pools: Pool[]
let earlierPrices: ReturnType<typeof createEarlierPrices>
let running: RunningSolver[]
beforeEach(async () => {
  clock = 1_000_000
  pools = [market]
  earlierPrices = createEarlierPrices(database, network.chainId, () => clock)
  running = await Promise.all(
    ['first', 'second'].map((name) => startSolver(name, (...call) => routingOver(token, pools)(...call))),
  )
})
afterEach(() => Promise.all(running.map(({ stop }) => stop())))
const find = () => {
  const solvers = running.map(({ solver }) => solver)
  return requestNativePrice({ solvers, network, now: () => clock, earlierPrices }, token, 20_000)
}
const countRequests = () => running.reduce((sum, { asked }) => sum + asked.length, 0)

test('quotes of a block share one request per solver and direction', async () => {
  const found = [await find()]
  for (let repeated = 0; repeated < 20; repeated += 1) found.push(await find())
  clock += 11_999
  found.push(await find())
  expect(new Set(found.map((one) => one?.price)).size).toBe(1)
  expect(countRequests()).toBe(4)
  clock += 1
  await find()
  expect(countRequests()).toBe(8)
})

test.each([
  ['raised by a pool of 30 ethers', pool(30n * ether, { over: 8n })],
  ['lowered by a pool of 30 ethers', pool(30n * ether, { under: 8n })],
  ['raised by a pool that only buys', pool(30n * ether, { over: 8n, only: 'buy' })],
  ['lowered by a pool that only sells', pool(30n * ether, { under: 8n, only: 'sell' })],
])('a confirmed price is not %s, for minutes', async (_, hostile) => {
  const before = await find()
  pools = [market, hostile]
  for (let blocks = 0; blocks < 10; blocks += 1) {
    clock += 12_000
    expect(await find()).toMatchObject({ price: before?.price })
  }
  // without a price of the last minutes the lower one counts, unconfirmed
  clock += 300_000
  const found = await find()
  expect(found).toMatchObject({ isConfirmed: false, isDeep: false })
  expect(found?.price).toBeLessThan(4.1)
})

test('a pool that exists in every second block only moves no price', async () => {
  const before = await find()
  for (let blocks = 0; blocks < 20; blocks += 1) {
    pools = blocks % 2 ? [market] : [market, pool((3n * ether) / 10n, { over: 8n })]
    clock += 12_000
    expect((await find())?.price).toBe(before?.price)
  }
})
