import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { OrderKind } from '@cowprotocol/cow-sdk'
import { type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NetworkStatus } from '#shared/alarms/networkStatusSchema.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { type DemoSwap, postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { expectAgreement, readBalances } from '../helpers/database/expectAgreement.ts'
import { createTokenlessAccount } from '../helpers/orders/createTrader.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let trader: Trader
let base: string

beforeAll(async () => {
  stack = await useSharedStack()
  base = `${stack.info.baseUrl}/${stack.info.network}`
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  for (const symbol of ['WETH', 'USDC', 'DAI']) await trader.approveRelayer(token(symbol).address)
})

afterAll(() => stack?.stop())

const token = (symbol: string) => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found
}

/** Trades and asserts that every response about the trade agrees. */
const trade = async (swap: DemoSwap): Promise<string> => {
  const before = await readBalances(trader, swap.sellToken.address, swap.buyToken.address)
  const uid = await postSwap(trader, swap)
  await waitForStatus(trader, uid, 'fulfilled')
  const after = await readBalances(trader, swap.sellToken.address, swap.buyToken.address)
  await expectAgreement(stack.info, trader, uid, before, after)
  return uid
}

describe('the official SDK trades', () => {
  test('a sell order fills, and all responses about it agree to the atom', async () => {
    await trade({ kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC'), amount: parseUnits('0.5', 18) })
  })

  test('a buy order fills, and all responses about it agree to the atom', async () => {
    await trade({ kind: 'buy', sellToken: token('USDC'), buyToken: token('DAI'), amount: parseUnits('250', 18) })
  })

  test('a filled order is among the orders of the account, newest first, and by UID', async () => {
    const uid = await trade({
      kind: 'sell',
      sellToken: token('DAI'),
      buyToken: token('WETH'),
      amount: parseUnits('900', 18),
    })
    const orders = await trader.orderBook.getOrders({ owner: trader.address })
    expect(orders[0]?.uid).toBe(uid)
    const times = orders.map((order) => Date.parse(order.creationDate))
    expect(times).toEqual([...times].sort((a, b) => b - a))

    const byUids = await fetch(`${base}/api/v1/orders/by_uids`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify([uid, `0x${'00'.repeat(56)}`]),
    })
    const found = (await byUids.json()) as { order: { uid: string } }[]
    expect(found.map(({ order }) => order.uid)).toEqual([uid])

    const status = await trader.orderBook.getOrderCompetitionStatus(uid)
    expect(status.type).toBe('traded')
  })
})

/** Posts an order a third above the market: near enough to enter auctions. */
const postImpossible = async (validFor: number): Promise<string> => {
  const { orderId } = await trader.sdk.postLimitOrder({
    kind: OrderKind.SELL,
    sellToken: token('WETH').address,
    sellTokenDecimals: 18,
    buyToken: token('USDC').address,
    buyTokenDecimals: 6,
    sellAmount: parseUnits('0.1', 18).toString(),
    buyAmount: parseUnits('400', 6).toString(),
    validFor,
  })
  return orderId
}

/** ends soon */
let expiring: string

test('an impossible limit stays open through auctions', async () => {
  expiring = await postImpossible(20)
  const impossible = await postImpossible(3_600)
  await trade({ kind: 'sell', sellToken: token('WETH'), buyToken: token('DAI'), amount: parseUnits('0.1', 18) })
  const open = await trader.orderBook.getOrder(impossible)
  expect(open).toMatchObject({ status: 'open', executedSellAmount: '0', executedBuyAmount: '0', class: 'limit' })
})

test('the status of the network has the time in which a market order was filled', async () => {
  await trade({ kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC'), amount: parseUnits('0.2', 18) })
  let found: NetworkStatus['timeToFill'] | undefined
  const find = async () => {
    const status = (await (await fetch(`${base}/status.json`)).json()) as NetworkStatus
    found = status.timeToFill
    return found.count > 0
  }
  await waitUntil('a fill in the status', find, { timeoutMs: patienceMs, intervalMs: 500 })
  const { p50Ms, p95Ms, p99Ms } = found ?? {}
  expect([p50Ms, p95Ms, p99Ms].map((ms) => Number(ms) >= 0 && Number(ms) < 3_600_000)).toEqual([true, true, true])
})

describe('a repeated submission', () => {
  test('is DuplicatedOrder with the first one’s UID and status, and leaves one row', async () => {
    const body = await signOrder(stack.info, stack.info.accounts[0]?.privateKey as Hex, {
      sellToken: token('WETH').address,
      buyToken: token('USDC').address,
      sellAmount: parseUnits('0.1', 18),
      buyAmount: parseUnits('1000000', 6),
    })
    const post = () =>
      fetch(`${base}/api/v1/orders`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    const answers = await Promise.all(Array.from({ length: 8 }, post))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 400, 400, 400, 400, 400, 400, 400])
    const uid = (await answers.find(({ status }) => status === 201)?.json()) as string
    const again = await post()
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ errorType: 'DuplicatedOrder', data: { uid } })
    const orders = await trader.orderBook.getOrders({ owner: trader.address, limit: 1000 })
    expect(orders.filter((order) => order.uid === uid)).toHaveLength(1)
  })
})

describe('npm run canary', () => {
  const run = (privateKey: Hex | undefined, network: string) =>
    promisify(execFile)(
      process.execPath,
      [
        ...['tools/canary.ts', stack.info.baseUrl, network, '--buy', token('USDC').address],
        // a busy machine is slow: the limits have a unit test
        ...['--quote', '60000', '--placement', '60000', '--fill', '100'],
      ],
      { env: { ...process.env, CANARY_PRIVATE_KEY: privateKey } },
    )

  test('trades a small order and prints its times', async () => {
    const { stdout } = await run(stack.info.accounts[0]?.privateKey, stack.info.network)
    const times = JSON.parse(stdout)
    const measured = expect.any(Number)
    expect(times).toMatchObject({ error: null, quoteMs: measured, placementMs: measured, fillMs: measured })
    expect(await trader.orderBook.getOrder(times.orderUid)).toMatchObject({
      status: 'fulfilled',
      sellToken: token('WETH').address,
      owner: trader.address.toLowerCase(),
    })
  })

  test('says what went wrong', async () => {
    const { privateKey } = await createTokenlessAccount(stack)
    const poor = await run(privateKey, stack.info.network).catch((error: { code: number; stdout: string }) => error)
    expect(poor).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/"orderUid":null,"quoteMs":\d+.*Insufficient/),
    })
    await expect(run(privateKey, 'nowhere')).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('has no network nowhere'),
    })
    await expect(run(undefined, stack.info.network)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('CANARY_PRIVATE_KEY'),
    })
  })
})

// last, since it expires while the others run
test('an impossible limit expires', async () => {
  await waitForStatus(trader, expiring, 'expired', 90_000)
  const report = await fetch(`${base}/api/v1/debug/order/${expiring}`)
  const { events, trades } = (await report.json()) as { events: { label: string }[]; trades: unknown[] }
  expect(events.map(({ label }) => label).slice(0, 2)).toEqual(['created', 'ready'])
  expect(trades).toEqual([])
})
