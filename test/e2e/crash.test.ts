import { setTimeout as sleep } from 'node:timers/promises'
import { createTestClient, type Hex, http, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectDatabaseAgreesWithChain } from '../helpers/chain/expectDatabaseAgreesWithChain.ts'
import { expectAgreement, readBalances } from '../helpers/database/expectAgreement.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patientAuctions, startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let trader: Trader

beforeAll(async () => {
  stack = await startTestStack({ vars: { auctions: patientAuctions } })
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  await trader.approveRelayer(token('WETH').address)
})

afterEach(() => resumeMining())
afterAll(() => stack?.stop())

const token = (symbol: string) => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found
}
const node = () => createTestClient({ mode: 'anvil', transport: http(stack.info.rpcUrl) })

const pauseMining = async () => {
  await node().setAutomine(false)
  await node().setIntervalMining({ interval: 0 })
}
const resumeMining = async () => {
  await node().setIntervalMining({ interval: 1 })
}

const countPending = async (): Promise<number> => {
  const { pending } = await node().getTxpoolStatus()
  return pending
}

/** Posts a swap without mining, and kills the Workers once its settlement waits in the mempool. */
const killBetweenSolveAndSettlement = async (): Promise<string> => {
  await pauseMining()
  const uid = await postSwap(trader, {
    kind: 'sell',
    sellToken: token('WETH'),
    buyToken: token('USDC'),
    amount: parseUnits('0.2', 18),
  })
  const deadline = Date.now() + 30_000
  while ((await countPending()) === 0) {
    if (Date.now() > deadline) throw new Error('no settlement was sent')
    await sleep(50)
  }
  await stack.workers.kill()
  return uid
}

describe('Workers that die between solve and settlement', () => {
  test('find a settlement that was mined meanwhile, once', async () => {
    const before = await readBalances(trader, token('WETH').address, token('USDC').address)
    const uid = await killBetweenSolveAndSettlement()
    await node().mine({ blocks: 1 })
    await stack.workers.start()
    await resumeMining()
    await waitForStatus(trader, uid, 'fulfilled')
    const after = await readBalances(trader, token('WETH').address, token('USDC').address)
    expect(before.sell - after.sell).toBe(parseUnits('0.2', 18))
    await expectAgreement(stack.info, trader, uid, before, after)
  })

  test('send a lost settlement again during its auction, and it happens once', async () => {
    const before = await readBalances(trader, token('WETH').address, token('USDC').address)
    const uid = await killBetweenSolveAndSettlement()
    await node().request({ method: 'anvil_dropAllTransactions' as never })
    expect(await countPending()).toBe(0)
    await stack.workers.start()
    await resumeMining()
    await waitForStatus(trader, uid, 'fulfilled')
    const after = await readBalances(trader, token('WETH').address, token('USDC').address)
    await expectAgreement(stack.info, trader, uid, before, after)
  })

  test('fill the order in a later auction, once, when a settlement is lost until its deadline', async () => {
    const before = await readBalances(trader, token('WETH').address, token('USDC').address)
    const uid = await killBetweenSolveAndSettlement()
    await node().request({ method: 'anvil_dropAllTransactions' as never })
    await node().mine({ blocks: 10 })
    await stack.workers.start()
    await resumeMining()
    await waitForStatus(trader, uid, 'fulfilled')
    const after = await readBalances(trader, token('WETH').address, token('USDC').address)
    expect(before.sell - after.sell).toBe(parseUnits('0.2', 18))
    const report = await findDebugReport(stack.info, uid)
    const outcomes = report.auctions.flatMap((auction) => auction.settlementAttempts.map(({ outcome }) => outcome))
    expect(outcomes.at(0)).toMatch(/^(timeout|driver failed: )/)
    expect(outcomes.at(-1)).toBe('success')
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(1)
    expect(report.trades).toHaveLength(1)
  })
})

/** `LONG=1`: the full run; `CRASH_SEED` for other moments. */
const kills = process.env.LONG ? 50 : 2
const ordersPerKill = 4
const seed = Number(process.env.CRASH_SEED ?? 1)

test(`${kills} kills at random moments during ${kills * ordersPerKill} orders`, {
  timeout: kills * 60_000 + 180_000,
}, async () => {
  const random = createRandom(seed)
  const traders = stack.info.accounts.slice(0, 3).map(({ privateKey }) => connectTrader(stack.info, privateKey))
  for (const other of traders) {
    for (const symbol of ['WETH', 'USDC']) await other.approveRelayer(token(symbol).address)
  }
  const holdings = () =>
    Promise.all(traders.flatMap((other) => ['WETH', 'USDC'].map((symbol) => other.findBalance(token(symbol).address))))
  const before = await holdings()
  const posted: { uid: string; trader: number }[] = []
  const post = async (afterMs: number, number: number): Promise<void> => {
    await sleep(afterMs)
    const who = number % traders.length
    const [sells, kind] = [number % 2 === 0, number % 3 === 0 ? 'buy' : 'sell'] as const
    // far below the market, so that it fills at any price
    const [weth, usdc] = [parseUnits('0.01', 18), parseUnits('15', 6)]
    const uid = await postSignedOrder(stack.info, stack.info.accounts[who]?.privateKey as Hex, {
      kind,
      sellToken: token(sells ? 'WETH' : 'USDC').address,
      buyToken: token(sells ? 'USDC' : 'WETH').address,
      sellAmount: sells ? weth : usdc * 4n,
      buyAmount: sells ? usdc : weth,
      validTo: Math.floor(Date.now() / 1000) + 7_200 + number,
    })
    posted.push({ uid, trader: who })
  }
  for (let kill = 0; kill < kills; kill++) {
    const posting = Array.from({ length: ordersPerKill }, (_, i) => post(random() * 4_000, kill * ordersPerKill + i))
    await sleep(random() * 6_000)
    await stack.workers.kill()
    await stack.workers.start()
    await Promise.all(posting)
  }

  for (const { uid } of posted) await waitForStatus(trader, uid, 'fulfilled', 180_000)
  await expectDatabaseAgreesWithChain(stack)
  const after = await holdings()
  const moved = after.map((balance, i) => balance - (before[i] ?? 0n))
  expect(moved).toEqual(await sumExecuted(posted, traders.length))
  const reports = await Promise.all(posted.map(({ uid }) => findDebugReport(stack.info, uid)))
  for (const { trades } of reports) expect(trades).toHaveLength(1)
  await expectTicking()
})

/** Token amounts that the orders of each trader moved, by the order book: WETH, USDC, WETH, … */
const sumExecuted = async (posted: { uid: string; trader: number }[], traders: number): Promise<bigint[]> => {
  const moved = Array.from({ length: traders * 2 }, () => 0n)
  for (const { uid, trader: who } of posted) {
    const order = await trader.orderBook.getOrder(uid)
    const sellsWeth = order.sellToken.toLowerCase() === token('WETH').address
    const [sold, bought] = sellsWeth ? [2 * who, 2 * who + 1] : [2 * who + 1, 2 * who]
    moved[sold] = (moved[sold] ?? 0n) - BigInt(order.executedSellAmount)
    moved[bought] = (moved[bought] ?? 0n) + BigInt(order.executedBuyAmount)
  }
  return moved
}

/** A new order enters an auction and fills. */
const expectTicking = async (): Promise<void> => {
  const uid = await postSignedOrder(stack.info, stack.info.accounts[0]?.privateKey as Hex, {
    sellToken: token('WETH').address,
    buyToken: token('USDC').address,
    sellAmount: parseUnits('0.01', 18),
    buyAmount: 1n,
  })
  await waitForStatus(trader, uid, 'fulfilled', 60_000)
}
