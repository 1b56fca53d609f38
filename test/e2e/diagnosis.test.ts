import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { deployShallowToken, type ShallowToken } from '../helpers/chain/shallowToken.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { waitUntilPriced } from '../helpers/orders/waitUntilPriced.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

type Name = 'rich' | 'drained' | 'second'

let stack: SharedStack
let base: string
let accounts: Record<Name, DevAccount>
/** a token of which the pool pays 3,000 for an ether */
let token: ShallowToken

beforeAll(async () => {
  stack = await useSharedStack()
  base = `${stack.info.baseUrl}/${stack.info.network}`
  const [rich, drained, second] = stack.info.accounts
  accounts = { rich, drained, second } as typeof accounts
  for (const name of ['drained', 'second'] as const) await approve(accounts[name].address, tokenOf('WETH'), maxUint256)
  token = await deployShallowToken(stack.chain, 'RISE', '100', '300000')
  await waitUntilPriced(stack, accounts.rich, [token.address])
})

afterAll(() => stack?.stop())

const tokenOf = (symbol: string): Address => stack.info.tokens[symbol]?.address as Address

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

const place = async (key: Hex, terms: SignableOrder): Promise<Hex> => {
  const order = await signOrder(stack.info, key, terms)
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

test('two owners lose their sell tokens and regain them: each change is reported once, and the orders fill in the end', async () => {
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
  // on a busy machine solvers may offer nothing in time; until then the gap is that of the market before fees
  const hasOffer = async () => 'gapBps' in (await report(orders[0]?.uid as Hex)).diagnosis.data
  await waitUntil('an offer of solvers', hasOffer, { timeoutMs: patienceMs })
  expect((await report(orders[0]?.uid as Hex)).diagnosis).toMatchObject({
    severity: 'warning',
    message: expect.stringMatching(
      /^The order is in the auctions and not filled because of its limit of 3,150 .* better than/,
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
