import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { deployShallowToken, type ShallowToken } from '../helpers/chain/shallowToken.ts'
import { createAccounts } from '../helpers/orders/createTrader.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { waitUntilPriced } from '../helpers/orders/waitUntilPriced.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

type Name = 'rich' | 'drained' | 'second' | 'dear' | 'unfunded' | 'stingy'

let stack: SharedStack
let base: string
/** The tests run side by side: none sends from an account of the other. */
let accounts: Record<Name, DevAccount>
/** a token of which the pool pays 3,000 for an ether */
let token: ShallowToken

beforeAll(async () => {
  stack = await useSharedStack()
  base = `${stack.info.baseUrl}/${stack.info.network}`
  const [rich, drained, second, dear, unfunded, stingy] = [...stack.info.accounts, ...(await createAccounts(stack, 2))]
  accounts = { rich, drained, second, dear, unfunded, stingy } as typeof accounts
  for (const name of ['drained', 'second', 'dear'] as const)
    await approve(accounts[name].address, tokenOf('WETH'), maxUint256)
  for (const name of ['unfunded', 'stingy'] as const) await approve(accounts[name].address, tokenOf('COW'), maxUint256)
  token = await deployShallowToken(stack.chain, 'RISE', '100', '300000')
  await waitUntilPriced(stack, accounts.rich, [token.address, tokenOf('USDC')])
})

afterAll(() => stack?.stop())

const tokenOf = (symbol: string): Address => stack.info.tokens[symbol]?.address as Address
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
const waitForCode = (uid: Hex, code: string) =>
  waitUntil(`diagnosis ${code}`, async () => (await report(uid)).diagnosis.code === code, {
    timeoutMs: patienceMs,
    intervalMs: 250,
  })

// The second test waits for a minute.
test.concurrent('two owners lose their sell tokens and regain them: each change is reported once, and the orders fill in the end', async () => {
  // a twentieth above the market, so that no solver fills it yet
  const { rich, drained, second } = accounts
  const weth = tokenOf('WETH')
  const terms = { sellToken: weth, buyToken: token.address, sellAmount: parseUnits('1', 18) }
  const limit = { ...terms, buyAmount: parseUnits('3150', 18) }
  const orders = await Promise.all(
    [drained, second].map(async ({ privateKey, address }) => ({ address, uid: await place(privateKey, limit) })),
  )
  for (const { uid } of orders)
    await waitUntil('ready', async () => (await eventsOf(uid)).includes('ready'), { timeoutMs: patienceMs })
  for (const { uid } of orders) await waitForCode(uid, 'out_of_market')
  expect((await report(orders[0]?.uid as Hex)).diagnosis).toMatchObject({
    severity: 'warning',
    message: expect.stringMatching(
      /^The order is in the auctions and not filled because of its limit of 3150 .* above/,
    ),
    data: { limitPrice: '3150', gapBps: expect.any(Number), auctions: { first: expect.any(Number) } },
  })

  const held = await Promise.all(orders.map(({ address }) => balanceOf(address, weth)))
  for (const [i, { address }] of orders.entries()) {
    await transfer(address, weth, rich.address, held[i] as bigint)
  }
  for (const { uid } of orders) await waitForCode(uid, 'insufficient_balance')
  const { diagnosis } = await report(orders[0]?.uid as Hex)
  expect(diagnosis).toMatchObject({
    severity: 'error',
    data: { available: '0', needed: parseUnits('1', 18).toString(), token: weth },
  })
  // some blocks without a change
  await sleep(5_000)
  for (const [i, { address }] of orders.entries()) {
    await transfer(rich.address, weth, address, held[i] as bigint)
  }
  for (const { uid } of orders)
    await waitUntil('ready', async () => (await eventsOf(uid)).at(-1) === 'ready', { timeoutMs: patienceMs })
  // an ether is worth a quarter more
  await token.deepen('0', '75000')
  for (const { uid } of orders) await waitForCode(uid, 'fulfilled')
  for (const { uid } of orders) {
    const events = await eventsOf(uid)
    expect(events.slice(0, 4)).toEqual(['created', 'ready', 'invalid insufficient_balance', 'ready'])
    expect(events.at(-1)).toBe('traded')
    expect(events.filter((event, i) => event === events[i - 1])).toEqual([])
  }
})

test.concurrent('every expired order has the reason why it was not filled', async () => {
  const { dear, unfunded, stingy } = accounts
  const validTo = now() + 45
  const nowhere: Address = `0x${'0dd'.repeat(13)}0`
  const weth = { sellToken: tokenOf('WETH'), sellAmount: parseUnits('1', 18), validTo }
  const cow = { sellToken: tokenOf('COW'), buyToken: tokenOf('WETH'), sellAmount: parseUnits('1', 18), validTo }
  const usdc = { buyToken: tokenOf('USDC'), validTo }
  // buyAmount prevents each of these orders from filling while its funds suffice
  const tooMuch = parseUnits('0.00013', 18)
  const presigned = { signingScheme: 'presign', signature: '0x' }
  const placing: Record<string, Promise<Hex>> = {
    'far from the market': place(dear.privateKey, { ...weth, ...usdc, buyAmount: parseUnits('1000000', 6) }),
    'near the market': place(dear.privateKey, { ...weth, ...usdc, buyAmount: parseUnits('4000', 6) }),
    'without a price': place(dear.privateKey, { ...weth, buyToken: nowhere, buyAmount: 1n }),
    'not signed': place(dear.privateKey, { ...weth, ...usdc, buyAmount: 1n }, presigned),
    'too small to pay for itself': place(dear.privateKey, {
      ...weth,
      ...usdc,
      sellAmount: 10n ** 10n,
      buyAmount: 1n,
    }),
    unfunded: place(unfunded.privateKey, { ...cow, buyAmount: tooMuch }),
    unapproved: place(stingy.privateKey, { ...cow, buyAmount: tooMuch }),
  }
  const uids = await Promise.all(Object.values(placing))
  const orders = Object.fromEntries(Object.keys(placing).map((name, i) => [name, uids[i] as Hex]))
  await transfer(unfunded.address, tokenOf('COW'), dear.address, await balanceOf(unfunded.address, tokenOf('COW')))
  await approve(stingy.address, tokenOf('COW'), 0n)
  await waitForCode(orders.unfunded as Hex, 'insufficient_balance')
  await waitForCode(orders.unapproved as Hex, 'insufficient_allowance')
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
  expect(diagnoses.unfunded?.data).toMatchObject({ available: '0', token: tokenOf('COW') })
  expect(diagnoses['far from the market']?.data.gapBps).toBeGreaterThan(5_000)
  expect(diagnoses['near the market']?.data.gapBps).toBeGreaterThan(0)
  // written with the first block after the order's end
  const isLogged = async () => (await eventsOf(orders['far from the market'] as Hex)).includes('expired')
  await waitUntil('the log has the end', isLogged, { timeoutMs: patienceMs, intervalMs: 500 })
  expect(await eventsOf(orders['far from the market'] as Hex)).toEqual(['created', 'filtered out_of_market', 'expired'])
  expect((await report(orders.unapproved as Hex)).order.status).toBe('expired')
})
