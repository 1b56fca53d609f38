import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { uniswapV2Abi } from '../../functions/solver/pools/uniswapV2Abi.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

const [rich, drained, second, stingy] = devAccounts
/** created the pools and all test tokens */
const maker = devAccounts[7]

let stack: Stack
let base: string

beforeAll(async () => {
  // orders live for a minute, and should be in auctions for most of it
  stack = await startTestStack({ vars: { auctions: { MIN_VALIDITY_SECONDS: '5' } } })
  base = `${stack.info.baseUrl}/${stack.info.network}`
  for (const { address } of [rich, drained, second, stingy]) {
    for (const symbol of ['WETH', 'DAI', 'COW']) await approve(address, token(symbol), maxUint256)
  }
})

afterAll(() => stack?.stop())

const token = (symbol: string): Address => stack.info.tokens[symbol]?.address as Address
const now = () => Math.floor(Date.now() / 1_000)

const approve = (owner: Address, to: Address, amount: bigint) => {
  const args = [stack.info.contracts.vaultRelayer as Address, amount] as const
  return sendFrom(stack.chain, owner, {
    to,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
  })
}
const transfer = (from: Address, tokenAddress: Address, to: Address, amount: bigint) => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return sendFrom(stack.chain, from, { to: tokenAddress, data })
}
const balanceOf = (owner: Address, address: Address) =>
  stack.chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

const place = async (key: Hex, terms: SignableOrder, changes: object = {}): Promise<Hex> => {
  const order = { ...(await signOrder(stack.info, key, terms)), ...changes }
  const response = await fetch(`${base}/api/v1/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(order),
  })
  const uid = await response.json()
  expect([response.status, uid]).toEqual([201, expect.any(String)])
  return uid as Hex
}

type Report = {
  order: { status: string }
  events: { label: string; reason?: string }[]
  diagnosis: { code: string; severity: string; message: string; since: string; data: Record<string, unknown> }
}
const report = async (uid: Hex): Promise<Report> => (await fetch(`${base}/api/v1/debug/order/${uid}`)).json() as never
const eventsOf = async (uid: Hex) =>
  (await report(uid)).events.map(({ label, reason }) => (reason ? `${label} ${reason}` : label))
const waitForCode = (uid: Hex, code: string, timeoutMs = 30_000) =>
  waitUntil(`diagnosis ${code}`, async () => (await report(uid)).diagnosis.code === code, {
    timeoutMs,
    intervalMs: 250,
  })

/** A trade buys WETH from the pool with DAI, so that its price there rises by a fifth. */
const raiseWeth = async () => {
  const [weth, dai] = [token('WETH'), token('DAI')]
  const factory = { address: networks.sepolia.uniswapV2Factory, abi: uniswapV2Abi } as const
  const pair = await stack.chain.readContract({ ...factory, functionName: 'getPair', args: [weth, dai] })
  const [reserveWeth, reserveDai] = [await balanceOf(pair, weth), await balanceOf(pair, dai)]
  const paid = reserveDai / 10n
  const bought = (reserveWeth * paid * 99n) / ((reserveDai + paid) * 100n)
  await transfer(maker.address, dai, pair, paid)
  const amounts = BigInt(weth) < BigInt(dai) ? ([bought, 0n] as const) : ([0n, bought] as const)
  const args = [...amounts, maker.address, '0x'] as const
  await sendFrom(stack.chain, maker.address, {
    to: pair,
    data: encodeFunctionData({ abi: uniswapV2Abi, functionName: 'swap', args }),
  })
}

test('two owners lose their sell tokens and regain them: each change is reported once, and the orders fill in the end', async () => {
  // a twentieth above the market, so that no solver fills it yet
  const terms = { sellToken: token('WETH'), buyToken: token('DAI'), sellAmount: parseUnits('1', 18) }
  const limit = { ...terms, buyAmount: parseUnits('3150', 18) }
  const orders = await Promise.all(
    [drained, second].map(async ({ privateKey, address }) => ({ address, uid: await place(privateKey, limit) })),
  )
  for (const { uid } of orders)
    await waitUntil('ready', async () => (await eventsOf(uid)).includes('ready'), { timeoutMs: 30_000 })
  for (const { uid } of orders) await waitForCode(uid, 'out_of_market')
  expect((await report(orders[0]?.uid as Hex)).diagnosis).toMatchObject({
    severity: 'warning',
    message: expect.stringMatching(
      /^The order is in the auctions and not filled because of its limit of 3150 .* above/,
    ),
    data: { limitPrice: '3150', gapBps: expect.any(Number), auctions: { first: expect.any(Number) } },
  })

  const held = await Promise.all(orders.map(({ address }) => balanceOf(address, token('WETH'))))
  for (const [i, { address }] of orders.entries()) {
    await transfer(address, token('WETH'), rich.address, held[i] as bigint)
  }
  for (const { uid } of orders) await waitForCode(uid, 'insufficient_balance')
  const { diagnosis } = await report(orders[0]?.uid as Hex)
  expect(diagnosis).toMatchObject({
    severity: 'error',
    data: { available: '0', needed: parseUnits('1', 18).toString(), token: token('WETH') },
  })
  // some blocks without a change
  await sleep(5_000)
  for (const [i, { address }] of orders.entries()) {
    await transfer(rich.address, token('WETH'), address, held[i] as bigint)
  }
  for (const { uid } of orders)
    await waitUntil('ready', async () => (await eventsOf(uid)).at(-1) === 'ready', { timeoutMs: 30_000 })
  await raiseWeth()
  for (const { uid } of orders) await waitForCode(uid, 'fulfilled', 60_000)
  for (const { uid } of orders) {
    const events = await eventsOf(uid)
    expect(events.slice(0, 4)).toEqual(['created', 'ready', 'invalid insufficient_balance', 'ready'])
    expect(events.at(-1)).toBe('traded')
    expect(events.filter((event, i) => event === events[i - 1])).toEqual([])
  }
})

test('every expired order has the reason why it was not filled', async () => {
  const validTo = now() + 64
  const nowhere: Address = `0x${'0dd'.repeat(13)}0`
  const weth = { sellToken: token('WETH'), sellAmount: parseUnits('1', 18), validTo }
  const cow = { sellToken: token('COW'), buyToken: token('WETH'), sellAmount: parseUnits('1', 18), validTo }
  const usdc = { buyToken: token('USDC'), validTo }
  // buyAmount keeps each of these orders unfilled while its funds suffice
  const dear = parseUnits('0.00013', 18)
  const presigned = { signingScheme: 'presign', signature: '0x' }
  const orders: Record<string, Hex> = {
    'far from the market': await place(rich.privateKey, { ...weth, ...usdc, buyAmount: parseUnits('1000000', 6) }),
    'near the market': await place(rich.privateKey, { ...weth, ...usdc, buyAmount: parseUnits('4000', 6) }),
    'without a price': await place(rich.privateKey, { ...weth, buyToken: nowhere, buyAmount: 1n }),
    'not signed': await place(rich.privateKey, { ...weth, ...usdc, buyAmount: 1n }, presigned),
    'too small to pay for itself': await place(rich.privateKey, {
      ...weth,
      ...usdc,
      sellAmount: 10n ** 10n,
      buyAmount: 1n,
    }),
    unfunded: await place(second.privateKey, { ...cow, buyAmount: dear }),
    unapproved: await place(stingy.privateKey, { ...cow, buyAmount: dear }),
  }
  await transfer(second.address, token('COW'), maker.address, await balanceOf(second.address, token('COW')))
  await approve(stingy.address, token('COW'), 0n)
  await waitUntil('all are expired', async () => now() > validTo + 2, { timeoutMs: 80_000, intervalMs: 500 })

  const diagnoses: Record<string, Report['diagnosis']> = {}
  for (const [name, uid] of Object.entries(orders)) diagnoses[name] = (await report(uid)).diagnosis
  expect(Object.fromEntries(Object.entries(diagnoses).map(([name, { code }]) => [name, code]))).toEqual({
    'far from the market': 'out_of_market',
    'near the market': 'out_of_market',
    'without a price': 'missing_native_price',
    'not signed': 'invalid_signature',
    'too small to pay for itself': 'no_solution',
    unfunded: 'insufficient_balance',
    unapproved: 'insufficient_allowance',
  })
  for (const { message, severity, data } of Object.values(diagnoses)) {
    expect(message).toMatch(/^The order expired at .*, unfilled, because of /)
    expect([severity, data.expiredAt]).toEqual(['error', new Date(validTo * 1_000).toISOString()])
  }
  expect(diagnoses['without a price']?.data).toMatchObject({ token: nowhere })
  expect(diagnoses.unfunded?.data).toMatchObject({ available: '0', token: token('COW') })
  expect(diagnoses['far from the market']?.data.gapBps).toBeGreaterThan(5_000)
  expect(diagnoses['near the market']?.data.gapBps).toBeGreaterThan(0)
  expect(await eventsOf(orders['far from the market'] as Hex)).toEqual(['created', 'filtered out_of_market', 'expired'])
  expect((await report(orders.unapproved as Hex)).order.status).toBe('expired')
})
