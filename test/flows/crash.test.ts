import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectDatabaseAgreesWithChain } from '../helpers/chain/expectDatabaseAgreesWithChain.ts'
import { expectAgreement, readBalances } from '../helpers/database/expectAgreement.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { patientAuctions, startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let trader: Trader

beforeAll(async () => {
  stack = await startTestStack({ vars: { auctions: patientAuctions } })
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  for (const symbol of ['WETH', 'USDC']) await trader.approveRelayer(token(symbol).address)
})

afterAll(() => stack?.stop())

const token = (symbol: string) => findToken(stack.info, symbol)

test('Workers that die after a settlement was sent find it mined, once', async () => {
  const before = await readBalances(trader, token('WETH').address, token('USDC').address)
  await stack.chain.setAutomine(false)
  await stack.chain.setIntervalMining({ interval: 0 })
  const amount = parseUnits('0.2', 18)
  const uid = await postSwap(trader, { kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC'), amount })
  const isSent = async () => (await stack.chain.getTxpoolStatus()).pending > 0
  await waitUntil('a settlement waits for a block', isSent, { timeoutMs: patienceMs })
  await stack.workers.kill()
  await stack.chain.mine({ blocks: 1 })
  await stack.workers.start()
  await stack.chain.setIntervalMining({ interval: 2 })
  await waitForStatus(trader, uid, 'fulfilled')
  const after = await readBalances(trader, token('WETH').address, token('USDC').address)
  expect(before.sell - after.sell).toBe(amount)
  await expectAgreement(stack.info, trader, uid, before, after)
})

/**
 * `LONG=1`: the full run; `CRASH_SEED` for other moments. In the simulation a part dies in one of many other steps
 * (`deaths`).
 */
const kills = process.env.LONG ? 50 : 1
const ordersPerKill = 4
const seed = Number(process.env.CRASH_SEED ?? 1)

test(`no order is lost when all Workers die at random moments: ${kills} during ${kills * ordersPerKill} orders`, {
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
  const postLater = async (afterMs: number, number: number): Promise<void> => {
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
    const posting = Array.from({ length: ordersPerKill }, (_, i) =>
      postLater(random() * 4_000, kill * ordersPerKill + i),
    )
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
