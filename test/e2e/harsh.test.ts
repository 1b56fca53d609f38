import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type Database } from '#schema/client.ts'
import { isOpenOfOwner, orders } from '#schema/tables/orders/orders.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { computeQuantile } from '#tools/bench/market/computeQuantile.ts'
import { createOrderPlacer, type Sale } from '#tools/bench/market/createOrderPlacer.ts'
import { tenPairs, toSale } from '#tools/bench/market/marketScenarios.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import type { Competitor } from '#tools/stack/chain/harsh/harshOptions.ts'
import { type HarshChain, startHarshChain } from '#tools/stack/chain/harsh/startHarshChain.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { connectOrderBook, type OrderBook } from '../helpers/console/orderBook.ts'
import { createClockLog } from '../helpers/hostile/createClockLog.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

/** Orders of a scenario; `LONG=1`: the full run, `HARSH_SEED` for other trades of the competitors. */
const count = process.env.LONG ? 20 : 4
const burst = process.env.LONG ? 100 : 10
const seed = Number(process.env.HARSH_SEED ?? 1)
/** blocks in which all orders of a scenario should fill */
const maxBlocks = process.env.LONG ? 40 : 12
/** share of settlements that may fail */
const maxFailed = 0.05
/** for a winner to send its settlement, and for an auction on a new block; ms */
const [sendMs, auctionMs] = [10_000, 4_000]

let stack: Stack
let book: OrderBook
let database: Database
let trader: DevAccount
const clockLog = createClockLog()

beforeAll(async () => {
  stack = await startTestStack({ networks: ['base'], blockTime: 3_600, log: clockLog.add })
  book = connectOrderBook(stack.info)
  database = connectDatabase(stack.info.databaseUrl)
  trader = await createTrader(stack)
})
afterAll(() => stack?.stop())

const readHead = async () => Number(await stack.chain.getBlockNumber())

const countRunning = () => database.$count(settlementAttempts, isNull(settlementAttempts.outcome))

/** Waits until the auction of the head is decided and its winners have sent their settlements or failed. */
const awaitSolvers = async () => {
  const [head, start] = [await readHead(), Date.now()]
  for (;;) {
    const { block } = clockLog.readAuction()
    const waited = Date.now() - start
    const isSent = (await stack.chain.getTxpoolStatus()).pending > 0 || (await countRunning()) === 0
    if (block >= head ? isSent || waited > sendMs : waited > auctionMs) return
    await sleep(100)
  }
}

/** `blocks` of each filled order: from the first placement to its trade */
type Outcome = { filled: number; blocks: number[]; failed: number; attempts: number }

/** Places `perBlock` sales after each block of a chain with these competitors, and mines until all have filled. */
const trade = async (
  competitors: readonly Competitor[],
  sales: readonly Sale[],
  perBlock: number,
): Promise<{ outcome: Outcome; harsh: HarshChain }> => {
  const place = createOrderPlacer(stack.info, trader)
  await stack.chain.setAutomine(true)
  await database.update(orders).set({ cancelledAt: sql`now()` }).where(isOpenOfOwner(orders))
  const harsh = await startHarshChain(stack.chain, stack.info, { seed, competitors, swingsBaseFee: true })
  for (let i = 0; i < 3; i++) await harsh.mine()
  const [{ last } = { last: 0 }] = await database
    .select({ last: sql<number>`coalesce(max(${settlementAttempts.auctionId}), 0)::int` })
    .from(settlementAttempts)
  const uids: Hex[] = []
  const first = await readHead()
  let filled = 0
  while (filled < sales.length && (await readHead()) - first < maxBlocks) {
    uids.push(...(await Promise.all(sales.slice(uids.length, uids.length + perBlock).map(place))))
    await awaitSolvers()
    await harsh.mine()
    const statuses = await Promise.all(uids.map((uid) => book.get<{ status: string }>(`/orders/${uid}`)))
    filled = statuses.filter(({ status }) => status === 'fulfilled').length
  }
  const traded = await database.select().from(trades).where(inArray(trades.orderUid, uids))
  const blocks = traded.map(({ blockNumber }) => blockNumber - first)
  const ended = and(gt(settlementAttempts.auctionId, last), isNotNull(settlementAttempts.outcome))
  const attempts = await database.$count(settlementAttempts, ended)
  const succeeded = await database.$count(settlementAttempts, and(ended, eq(settlementAttempts.outcome, 'success')))
  const outcome = { filled, blocks, failed: attempts - succeeded, attempts }
  console.log(JSON.stringify({ competitors, ...outcome }))
  return { outcome, harsh }
}

/** Both sell the first token of each pool ahead of the settlements, as the orders of the series do. */
const small: Competitor[] = [{ dollars: 3, everyBlocks: [1, 1], tipGwei: 3, isOneSided: true }]
const large: Competitor[] = [{ dollars: 30, everyBlocks: [2, 3], tipGwei: 3, isOneSided: true }]

const scenarios: [string, Competitor[]][] = [
  ['no other trader', []],
  ['one swap of $30 every second or third block', large],
  ['a swap of $3 with a higher tip in each block', small],
]

test.each(scenarios)(
  'beside %s all orders with a slack of one percent fill, and few settlements fail',
  { timeout: count * 60_000 },
  async (_, competitors) => {
    const sales = Array.from({ length: count }, (_, i) => toSale(stack.info, ['WETH', 'USDC'], i))
    const { outcome, harsh } = await trade(competitors, sales, 1)
    expect(outcome.filled).toBe(count)
    expect(outcome.failed).toBeLessThanOrEqual(maxFailed * outcome.attempts)
    if (competitors.length > 0) expect(await harsh.findSwapSuccess()).toBeGreaterThan(0.9)
  },
)

test(`${burst} orders over ten pairs fill within four blocks at the median and eight at most, beside both traders`, {
  timeout: burst * 10_000,
}, async () => {
  const sales = Array.from({ length: burst }, (_, i) => toSale(stack.info, tenPairs[i % 10] ?? tenPairs[0], i))
  const { outcome } = await trade([...small, ...large], sales, burst)
  expect(outcome.filled).toBe(burst)
  expect(computeQuantile(outcome.blocks, 0.5)).toBeLessThanOrEqual(4)
  expect(computeQuantile(outcome.blocks, 0.99)).toBeLessThanOrEqual(8)
  expect(outcome.failed).toBeLessThanOrEqual(maxFailed * outcome.attempts)
})
