import { setTimeout as sleep } from 'node:timers/promises'
import { OrderKind } from '@cowprotocol/cow-sdk'
import { type Address, erc20Abi, type Hex, keccak256, parseEther, parseUnits, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import type { OrderResponse } from '#shared/orders/orderResponse.ts'
import { connectOperator } from '#tools/contracts/connectOperator.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { sendRefunds } from '#tools/refunds/sendRefunds.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { type Counter, deployCounter } from '../helpers/chain/counter.ts'
import {
  buildEthFlowOrder,
  createEthFlowOrder,
  type EthFlowOrder,
  invalidateEthFlowOrder,
  uidOfEthFlow,
} from '../helpers/chain/ethFlow.ts'
import { waitUntilPriced } from '../helpers/orders/waitUntilPriced.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let trader: Trader
let counter: Counter

beforeAll(async () => {
  stack = await useSharedStack()
  trader = connectTrader(stack.info, account(0).privateKey)
  counter = await deployCounter(stack.chain)
  await waitUntilPriced(stack, account(3), [usdc()])
})
afterAll(() => stack?.stop())

const account = (index: number) => {
  const found = stack.info.accounts[index]
  if (!found) throw new Error(`no account ${index}`)
  return found
}
const usdc = (): Address => stack.info.tokens.USDC?.address as Address
const balanceOf = (token: Address, holder: Address): Promise<bigint> =>
  stack.chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
const readNow = async (): Promise<number> => Number((await stack.chain.getBlock()).timestamp)

const get = (path: string): Promise<Response> => fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/${path}`)
/** The API representation: the SDK shows an order of native tokens with its user as owner. */
const findOrder = async (uid: string): Promise<OrderResponse | undefined> => {
  const response = await get(`orders/${uid}`)
  return response.ok ? ((await response.json()) as OrderResponse) : undefined
}
const findEvents = async (uid: string) => {
  const { events } = (await (await get(`debug/order/${uid}`)).json()) as {
    events: { label: string; timestamp: string }[]
  }
  return events
}
const findLabels = async (uid: string): Promise<string[]> => (await findEvents(uid)).map(({ label }) => label)
/** Waits until an on-chain order is indexed with these fields. */
const waitFor = async (uid: string, isIt: (order: OrderResponse) => boolean): Promise<OrderResponse> => {
  const deadline = Date.now() + 60_000
  for (;;) {
    const order = await findOrder(uid)
    if (order && isIt(order)) return order
    if (Date.now() > deadline) throw new Error(`order ${uid} is ${JSON.stringify(order)}`)
    await sleep(250)
  }
}
const waitForStatus = (uid: string, status: string) => waitFor(uid, (order) => order.status === status)
/** Ether for USDC at a tenth of the market price; `changes` override its fields. */
const build = (changes: Partial<EthFlowOrder> = {}): EthFlowOrder =>
  buildEthFlowOrder({
    buyToken: usdc(),
    receiver: account(0).address,
    sellAmount: parseEther('0.05'),
    buyAmount: parseUnits('10', 6),
    validTo: Math.floor(Date.now() / 1_000) + 1_200,
    ...changes,
  })
const place = async (changes: Partial<EthFlowOrder> = {}): Promise<EthFlowOrder> => {
  const order = build(changes)
  await createEthFlowOrder(stack.chain, account(0).address, order)
  return order
}

test('the official SDK sells ether: quote, one transaction, hooks, fill', async () => {
  const { hooksTrampoline, ethFlow } = stack.info.contracts
  const toText = ({ gasLimit, ...hook }: ReturnType<Counter['buildHook']>) => ({ ...hook, gasLimit: `${gasLimit}` })
  const hooks = { pre: [toText(counter.buildHook('pre'))], post: [toText(counter.buildHook('post'))] }
  const amount = parseEther('0.2')
  const before = { usdc: await trader.findBalance(usdc()), ether: await stack.chain.getBalance(trader) }
  const { orderId, txHash } = await trader.sdk.postSellNativeCurrencyOrder(
    {
      kind: OrderKind.SELL,
      sellToken: nativeSentinel,
      sellTokenDecimals: 18,
      buyToken: usdc(),
      buyTokenDecimals: 6,
      amount: amount.toString(),
    },
    { appData: { metadata: { hooks } } },
  )
  const receipt = await waitForReceipt(stack.chain, txHash as Hex)
  expect(receipt.status).toBe('success')
  const order = await waitForStatus(orderId, 'fulfilled')
  const sold = BigInt(order.sellAmount)

  const got = (await trader.findBalance(usdc())) - before.usdc
  const cost = receipt.gasUsed * receipt.effectiveGasPrice
  expect(before.ether - (await stack.chain.getBalance(trader))).toBe(sold + cost)
  expect(got).toBe(BigInt(order.executedBuyAmount))
  expect(got).toBeGreaterThanOrEqual(BigInt(order.buyAmount))
  expect(BigInt(order.executedFee)).toBeGreaterThan(0n)
  expect([await counter.count('pre'), await counter.count('post')]).toEqual([1n, 1n])
  expect(await balanceOf(stack.info.contracts.wrappedNative, ethFlow)).toBe(0n)

  const user = trader.address.toLowerCase()
  expect(order).toMatchObject({
    owner: ethFlow,
    sellToken: stack.info.contracts.wrappedNative,
    validTo: 0xffffffff,
    executedSellAmount: sold.toString(),
    class: 'limit',
    signingScheme: 'eip1271',
    onchainUser: user,
    onchainOrderData: { sender: user, placementError: null },
    ethflowData: { refundTxHash: null, isRefunded: false },
    appData: order.appDataHash,
    quoteId: expect.any(Number),
    interactions: {
      pre: [{ target: ethFlow, value: '0', callData: '0x4c84c1c8' }, { target: hooksTrampoline }],
      post: [{ target: hooksTrampoline }],
    },
  })
  expect(order.quote).toMatchObject({ sellAmount: amount.toString(), feeAmount: (amount - sold).toString() })
  expect(await findLabels(orderId)).toEqual(['created', 'ready', 'executing', 'traded'])

  const seen = await trader.orderBook.getOrder(orderId)
  expect(seen).toMatchObject({ owner: user, sellToken: expect.stringMatching(new RegExp(nativeSentinel, 'i')) })
  expect(seen.validTo).toBe(order.ethflowData?.userValidTo)
  expect((await trader.orderBook.getOrders({ owner: trader.address })).map(({ uid }) => uid)).toEqual([orderId])
  expect((await trader.orderBook.getTrades({ owner: trader.address })).map(({ orderUid }) => orderUid)).toEqual([
    orderId,
  ])
  // the contract owns the orders of all its users, also those of files that used the stack before; the newest first
  expect((await trader.orderBook.getOrders({ owner: ethFlow }))[0]?.uid).toBe(orderId)
  expect((await trader.orderBook.getTrades({ owner: ethFlow }))[0]?.orderUid).toBe(orderId)
  const { totalSurplus } = await trader.orderBook.getTotalSurplus(trader.address)
  expect(BigInt(totalSurplus ?? 0)).toBeGreaterThan(0n)
})

test('the SDK’s swap sells the whole amount of its quote', async () => {
  const amount = parseEther('0.1').toString()
  const { orderId } = await trader.sdk.postSwapOrder({
    kind: OrderKind.SELL,
    sellToken: nativeSentinel,
    sellTokenDecimals: 18,
    buyToken: usdc(),
    buyTokenDecimals: 6,
    amount,
  })
  const order = await waitForStatus(orderId, 'fulfilled')
  expect(order).toMatchObject({ executedSellAmount: amount, quote: { sellAmount: amount } })
})

test('an order with a signed fee shows its error and never fills', async () => {
  const uid = uidOfEthFlow(await place({ feeAmount: 7n }))
  const order = await waitFor(uid, ({ status }) => status === 'open')
  expect(order.onchainOrderData).toEqual({ sender: account(0).address, placementError: 'nonZeroFee' })
  expect(await findLabels(uid)).toEqual(['created'])
})

describe('orders that begin or end later', () => {
  /** nearly the same for all of them, so that the tests wait for it once */
  let validFrom: number
  let document: string
  let early: EthFlowOrder
  let ending: EthFlowOrder[]

  beforeAll(async () => {
    validFrom = (await readNow()) + 28
    document = JSON.stringify({ appCode: 'ethflow', metadata: { validFrom } })
    const appData = keccak256(stringToHex(document))
    await trader.orderBook.uploadAppData(appData, document)
    early = await place({ appData })
    ending = []
    for (const atLeast of [2_000_000_000_000n, 3_000_000_000_000n, 3_000_001_000_000n])
      ending.push(await place({ buyAmount: atLeast, validTo: validFrom + 2 }))
  })

  test('an order with validFrom is open but in no auction until then', async () => {
    const uid = uidOfEthFlow(early)
    const order = await waitFor(uid, ({ status }) => status === 'open')
    expect(order).toMatchObject({ validFrom, fullAppData: document, appData: early.appData })
    expect(await findLabels(uid)).toEqual(['created'])
    await waitForStatus(uid, 'fulfilled')
    const [created, ready] = (await findEvents(uid)).map(({ timestamp }) => Date.parse(timestamp))
    expect(created).toBeLessThan(validFrom * 1_000)
    expect(ready).toBeGreaterThanOrEqual(validFrom * 1_000)
  })

  test('an expired order is refunded by any account and shows the transaction', async () => {
    const order = ending[0] as EthFlowOrder
    const uid = uidOfEthFlow(order)
    await waitForStatus(uid, 'expired')
    while ((await readNow()) <= order.validTo) await sleep(250)
    const before = await stack.chain.getBalance({ address: account(0).address })
    await invalidateEthFlowOrder(stack.chain, account(1).address, order)
    expect((await stack.chain.getBalance({ address: account(0).address })) - before).toBe(order.sellAmount)
    const refunded = await waitFor(uid, ({ ethflowData }) => ethflowData?.isRefunded === true)
    expect(refunded).toMatchObject({
      status: 'expired',
      ethflowData: { userValidTo: order.validTo, refundTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
  })

  test('the job refunds expired orders of all users, and nothing a second time', async () => {
    const job = connectOperator(stack.info.rpcUrl, networks.sepolia, account(2).privateKey)
    const database = connectDatabase(stack.info.databaseUrl)
    const [first, second] = ending.slice(1) as [EthFlowOrder, EthFlowOrder]
    const live = await place({ buyAmount: parseUnits('3000002', 6) })
    for (const order of [first, second]) await waitForStatus(uidOfEthFlow(order), 'expired')
    while ((await readNow()) <= first.validTo) await sleep(250)
    const before = await stack.chain.getBalance({ address: account(0).address })
    const lines: string[] = []
    const run = () => sendRefunds(database, job, networks.sepolia, { from: 0, log: (line) => lines.push(line) })
    await run()
    expect(lines.filter((line) => line.includes(': refunded '))).toEqual(
      expect.arrayContaining([first, second].map((order) => expect.stringContaining(uidOfEthFlow(order)))),
    )
    const paid = (await stack.chain.getBalance({ address: account(0).address })) - before
    expect(paid).toBe(first.sellAmount + second.sellAmount)
    // before the refunds are indexed, the contract refuses; afterwards none is requested
    lines.length = 0
    expect((await run()).refunded).toBe(0)
    for (const order of [first, second])
      await waitFor(uidOfEthFlow(order), ({ ethflowData }) => ethflowData?.isRefunded === true)
    lines.length = 0
    await run()
    const named = lines.join()
    for (const order of [first, second, live]) expect(named).not.toContain(uidOfEthFlow(order))
  })
})
