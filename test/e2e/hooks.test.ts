import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hook } from '#shared/appData/parseAppData.ts'
import { readAppDataDocument } from '#shared/appData/readAppData.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { waitForStatus } from '#tools/demo/swap.ts'
import { type DevAccount, devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { type Counter, deployCounter } from '../helpers/chain/counter.ts'
import { buildHookDocument, deployPermitToken, type PermitToken } from '../helpers/chain/permitToken.ts'
import { planSafe } from '../helpers/chain/safe.ts'
import { createPool } from '../helpers/chain/uniswapV2.ts'
import { createTokenlessAccount } from '../helpers/orders/createTrader.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let trader: Trader
let permitToken: PermitToken
let counter: Counter
let stranger: DevAccount

beforeAll(async () => {
  stack = await useSharedStack()
  trader = connectTrader(stack.info, owner().privateKey)
  permitToken = await deployPermitToken(stack.chain)
  counter = await deployCounter(stack.chain)
  stranger = await createTokenlessAccount(stack)
  await permitToken.mint(devAccounts[7].address, parseUnits('1000000', 18))
  await permitToken.mint(owner().address, parseUnits('1000', 18))
  await createPool(stack.chain, [
    [permitToken.address, parseUnits('1000000', 18)],
    [token('USDC'), parseUnits('1000000', 6)],
  ])
  await trader.approveRelayer(token('WETH'))
})
afterAll(() => stack?.stop())

const owner = () => {
  const [account] = stack.info.accounts
  if (!account) throw new Error('no account')
  return account
}
const token = (symbol: string) => findToken(stack.info, symbol).address
const balanceOf = (of: Address, holder: Address): Promise<bigint> =>
  stack.chain.readContract({ address: of, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
const allowance = (of: Address, holder: Address, spender: Address): Promise<bigint> =>
  stack.chain.readContract({ address: of, abi: erc20Abi, functionName: 'allowance', args: [holder, spender] })
const toHook = ({ to, data }: { to: Address; data: Hex }, gasLimit: bigint): Hook => ({
  target: to.toLowerCase() as Address,
  callData: data,
  gasLimit,
})

const post = async (path: string, body: unknown): Promise<{ status: number; body: never }> => {
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as never }
}

const place = async (terms: SignableOrder): Promise<string> => {
  const { status, body } = await post('orders', await signOrder(stack.info, owner().privateKey, terms))
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

const swap = (changes: Partial<SignableOrder> = {}): SignableOrder => ({
  sellToken: token('WETH'),
  buyToken: token('USDC'),
  sellAmount: parseUnits('0.1', 18),
  buyAmount: parseUnits('100', 6),
  ...changes,
})

describe('hooks run in the settlement', () => {
  test('run with the rights of the trampoline only, without access to the funds of the settlement contract', async () => {
    const { settlement, hooksTrampoline } = stack.info.contracts
    const thief = stranger.address
    const allow = (of: Address): Hook =>
      toHook(
        { to: of, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [thief, maxUint256] }) },
        60_000n,
      )
    const take = (of: Address): Hook =>
      toHook(
        { to: of, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [thief, 1n] }) },
        60_000n,
      )
    const hooks = { pre: [allow(token('WETH'))], post: [allow(token('USDC')), take(token('WETH'))] }
    const stolen = await balanceOf(token('WETH'), thief)
    const uid = await place(swap({ appData: buildHookDocument(hooks) }))
    await waitForStatus(trader, uid, 'fulfilled')
    for (const spent of [token('WETH'), token('USDC')]) {
      expect(await allowance(spent, settlement, thief)).toBe(0n)
      expect(await allowance(spent, hooksTrampoline, thief)).toBe(maxUint256)
    }
    expect(await balanceOf(token('WETH'), settlement)).toBeGreaterThan(0n)
    expect(await balanceOf(token('WETH'), thief)).toBe(stolen)
  })

  test('a pre-hook deploys the Safe that owns the order, and another one approves the relayer', async () => {
    const { settlement, vaultRelayer } = stack.info.contracts
    const safe = await planSafe(stack.chain, owner())
    const sellAmount = parseUnits('0.2', 18)
    const give = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [safe.address, sellAmount] })
    await sendFrom(stack.chain, owner().address, { to: token('WETH'), data: give })
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vaultRelayer, sellAmount] })
    const pre = [toHook(safe.deployment, 400_000n), toHook(await safe.signFirstCall(token('WETH'), approve), 200_000n)]
    const terms = swap({ sellAmount, receiver: safe.address, appData: buildHookDocument({ pre }) })
    const unsigned = await signOrder(stack.info, owner().privateKey, terms)
    const digest = computeOrderDigest(computeDomainSeparator(stack.info.chainId, settlement), {
      ...unsigned,
      sellAmount: terms.sellAmount,
      buyAmount: terms.buyAmount,
      feeAmount: 0n,
      appDataHash: readAppDataDocument(unsigned.appData).appDataHash,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    })
    const creation = {
      ...unsigned,
      from: safe.address,
      signingScheme: 'eip1271',
      signature: await safe.signDigest(digest),
    }
    expect(
      await post('orders', { ...creation, signature: await safe.signDigest(`0x${'11'.repeat(32)}`) }),
    ).toMatchObject({
      status: 400,
      body: { errorType: 'InvalidEip1271Signature' },
    })
    const placed = await post('orders', creation)
    expect(placed).toMatchObject({ status: 201 })
    expect(await stack.chain.getCode({ address: safe.address })).toBeUndefined()
    await waitForStatus(trader, placed.body, 'fulfilled')
    expect(await stack.chain.getCode({ address: safe.address })).toBeDefined()
    expect(await balanceOf(token('WETH'), safe.address)).toBe(0n)
    const order = await trader.orderBook.getOrder(placed.body)
    expect(await balanceOf(token('USDC'), safe.address)).toBe(BigInt(order.executedBuyAmount))
  })

  test('of an order that fills in two parts: pre-hooks once, post-hooks each time', async () => {
    const half = parseUnits('100', 18)
    const spender = stranger
    const permit = await permitToken.signPermit(spender, 2n * half)
    await permitToken.mint(spender.address, half)
    const terms = swap({
      sellToken: permitToken.address,
      sellAmount: 2n * half,
      buyAmount: parseUnits('180', 6),
      partiallyFillable: true,
      appData: buildHookDocument({ pre: [permit, counter.buildHook('before')], post: [counter.buildHook('after')] }),
    })
    const { status, body: uid } = await post('orders', await signOrder(stack.info, spender.privateKey, terms))
    expect(status).toBe(201)
    await waitForSold(uid, half)
    expect([await counter.count('before'), await counter.count('after')]).toEqual([1n, 1n])
    await permitToken.mint(spender.address, half)
    await waitForStatus(trader, uid, 'fulfilled')
    expect([await counter.count('before'), await counter.count('after')]).toEqual([1n, 2n])
    expect(await permitToken.balanceOf(spender.address)).toBe(0n)
  })
})

test('the report of a filled order says what each of its hooks did', async () => {
  const revert = { ...(await permitToken.signPermit(owner(), 1n)), gasLimit: 100_000n }
  await sendFrom(stack.chain, stranger.address, { to: revert.target, data: revert.callData })
  const starved = { ...counter.buildHook('starved'), gasLimit: 2_500n }
  const nothing = toHook({ to: `0x${'de'.repeat(20)}`, data: '0x12345678' }, 30_000n)
  const post = [counter.buildHook('ran'), revert, starved, nothing]
  const appData = buildHookDocument({ pre: [counter.buildHook('first')], post })
  const uid = await place(swap({ appData }))
  await waitForStatus(trader, uid, 'fulfilled')
  const report = await findDebugReport(stack.info, uid)
  const traded = report.events.find(({ label }) => label === 'traded')
  const hooks = [
    { phase: 'pre', hook: 0, target: counter.address, outcome: 'succeeded' },
    { phase: 'post', hook: 0, target: counter.address, outcome: 'succeeded' },
    { phase: 'post', hook: 1, target: revert.target, outcome: 'reverted' },
    { phase: 'post', hook: 2, target: counter.address, outcome: 'outOfGas' },
    { phase: 'post', hook: 3, target: nothing.target, outcome: 'noCode' },
  ]
  expect(traded).toMatchObject({ hooks })
  expect(report).toMatchObject({ diagnosis: { code: 'fulfilled', data: { failingHooks: hooks.slice(2) } } })
})

const waitForSold = async (uid: string, amount: bigint): Promise<void> => {
  const deadline = Date.now() + 60_000
  for (;;) {
    const order = await trader.orderBook.getOrder(uid)
    if (BigInt(order.executedSellAmount) === amount) return
    if (Date.now() > deadline) throw new Error(`${order.executedSellAmount} atoms are sold, not ${amount}`)
    await sleep(250)
  }
}

describe('before the settlement', () => {
  test('an order whose hook reverts stays out of auctions with that reason', async () => {
    const sellAmount = parseUnits('10', 18)
    const permit = await permitToken.signPermit(owner(), sellAmount)
    const terms = swap({
      sellToken: permitToken.address,
      sellAmount,
      buyAmount: parseUnits('1000', 6),
      appData: buildHookDocument({ pre: [permit] }),
    })
    const uid = await place(terms)
    // the first use of the permit makes the hook revert; then the approval is revoked
    await sendFrom(stack.chain, stranger.address, { to: permit.target, data: permit.callData })
    const revoke = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [stack.info.contracts.vaultRelayer, 0n],
    })
    await sendFrom(stack.chain, owner().address, { to: permitToken.address, data: revoke })
    const reasonsOf = async () => {
      const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/debug/order/${uid}`)
      const { events } = (await response.json()) as { events: { label: string; reason?: string }[] }
      return events.map(({ label, reason }) => (reason ? `${label}: ${reason}` : label))
    }
    await expect.poll(reasonsOf, { timeout: patienceMs, interval: 500 }).toContain('invalid: hook_reverts')
  })
})
