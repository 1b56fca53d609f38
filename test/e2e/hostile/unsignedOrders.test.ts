import { type Address, type Hex, parseEther, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { buildEthFlowOrder, createEthFlowOrder, toSignedOrder, uidOfEthFlow } from '../../helpers/chain/ethFlow.ts'
import { connectOrderBook, type OrderBook } from '../../helpers/console/orderBook.ts'
import { type SignableOrder, signOrder } from '../../helpers/orders/signOrder.ts'
import { startTestStack } from '../../helpers/stack/testStack.ts'

const maxLimitOrders = 3
const maxUnsigned = 14
let stack: Stack
let book: OrderBook

beforeAll(async () => {
  const orders = {
    MAX_LIMIT_ORDERS_PER_USER: `${maxLimitOrders}`,
    MAX_UNSIGNED_ORDERS_PER_CLIENT: `${maxUnsigned}`,
  }
  stack = await startTestStack({ vars: { orders } })
  book = connectOrderBook(stack.info)
  for (const index of [0, 1, 2])
    await connectTrader(stack.info, account(index).privateKey).approveRelayer(token('WETH'))
})
afterAll(() => stack?.stop())

const account = (index: number) => {
  const found = stack.info.accounts[index]
  if (!found) throw new Error(`no account ${index}`)
  return found
}
const token = (symbol: string): Address => stack.info.tokens[symbol]?.address as Address

let count = 0n
/** Ether for USDC at a price that a tenth of the market pays; every call makes another order. */
const sign = (owner: number, changes: Partial<SignableOrder> = {}) => {
  count += 1n
  const amounts = { sellAmount: parseEther('0.01') + count, buyAmount: parseUnits('2', 6) }
  return signOrder(stack.info, account(owner).privateKey, {
    sellToken: token('WETH'),
    buyToken: token('USDC'),
    ...amounts,
    ...changes,
  })
}
/** A limit that no solver reaches. */
const unreachable = { buyAmount: parseUnits('1000000', 6) }
/** The same order as any stranger can send it. */
const unsign = (body: object) => ({ ...body, signingScheme: 'presign', signature: '0x' })
const post = async (body: object) => {
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, answer: (await response.json()) as unknown }
}
const cancel = async (owner: number, uid: string) => {
  const { settlement: verifyingContract } = stack.info.contracts
  const signature = await privateKeyToAccount(account(owner).privateKey).signTypedData({
    domain: { name: 'Gnosis Protocol', version: 'v2', chainId: stack.info.chainId, verifyingContract },
    types: { OrderCancellations: [{ name: 'orderUids', type: 'bytes[]' }] },
    primaryType: 'OrderCancellations',
    message: { orderUids: [uid as Hex] },
  })
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders`, {
    method: 'DELETE',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ orderUids: [uid], signature, signingScheme: 'eip712' }),
  })
  return response.status
}

test('an order first sent unsigned by a stranger is accepted from its owner and fills', async () => {
  const body = await sign(0)
  const squatted = await post(unsign(body))
  expect(squatted.status).toBe(201)
  await book.waitFor(squatted.answer as string, ({ status }) => status === 'presignaturePending')
  expect(await post(body)).toEqual({ status: 201, answer: squatted.answer })
  await book.waitFor(squatted.answer as string, ({ status }) => status === 'fulfilled')
  const { events } = await book.get<{ events: { label: string }[] }>(`/debug/order/${squatted.answer}`)
  expect(events.map(({ label }) => label).filter((label) => label !== 'invalid')).toEqual(
    expect.arrayContaining(['created', 'traded']),
  )
  expect(await post(unsign(body))).toMatchObject({ status: 400, answer: { errorType: 'DuplicatedOrder' } })
})

test('such an order is cancelled by a signature of its owner, and stays cancelled', async () => {
  const body = await sign(0, unreachable)
  const { answer } = await post(unsign(body))
  expect(await cancel(0, answer as string)).toBe(400)
  expect((await post(body)).status).toBe(201)
  expect(await cancel(0, answer as string)).toBe(200)
  expect(await post(body)).toMatchObject({ answer: { errorType: 'DuplicatedOrder', data: { status: 'cancelled' } } })
})

test('an order of native tokens first sent unsigned by a stranger fills once it is placed on-chain', async () => {
  const order = buildEthFlowOrder({
    buyToken: token('USDC'),
    receiver: account(1).address,
    sellAmount: parseEther('0.02'),
    buyAmount: parseUnits('4', 6),
    validTo: Math.floor(Date.now() / 1_000) + 1_200,
  })
  const { appDataHash: appData, ...terms } = toSignedOrder(order)
  const amounts = { sellAmount: `${terms.sellAmount}`, buyAmount: `${terms.buyAmount}`, feeAmount: '0' }
  const squatted = await post(unsign({ ...terms, ...amounts, appData, from: stack.info.contracts.ethFlow }))
  expect(squatted).toEqual({ status: 201, answer: uidOfEthFlow(order) })
  await createEthFlowOrder(stack.chain, account(1).address, order)
  const filled = await book.waitFor(uidOfEthFlow(order), ({ status }) => status === 'fulfilled')
  expect(filled).toMatchObject({ signingScheme: 'eip1271', onchainUser: account(1).address.toLowerCase() })
})

test("unsigned orders of a stranger neither use up an owner's limit nor precede a signed order", async () => {
  const uids: string[] = []
  for (let i = 0; i < maxLimitOrders; i++) uids.unshift(await book.post(await sign(2, unreachable)))
  for (let i = 0; i < 8; i++) expect((await post(unsign(await sign(2)))).status).toBe(201)
  const list = (query: string) =>
    book.get<{ uid: string; status: string }[]>(`/account/${account(2).address}/orders?${query}`)
  expect((await list('limit=3')).map(({ uid }) => uid)).toEqual(uids)
  const all = await list('limit=100')
  expect(all.slice(0, 3).map(({ uid }) => uid)).toEqual(uids)
  expect(all.slice(3).map(({ status }) => status)).toEqual(Array(8).fill('presignaturePending'))
  expect(await list('limit=100&signed=false')).toEqual(all.slice(3))

  const refused = { field: 'limitOrders', limit: maxLimitOrders, open: maxLimitOrders }
  expect(await post(await sign(2, unreachable))).toMatchObject({
    status: 400,
    answer: { errorType: 'TooManyLimitOrders', data: refused },
  })
  expect(await cancel(2, uids[0] as string)).toBe(200)
  expect((await post(await sign(2, unreachable))).status).toBe(201)
})

test('a client has a limited number of unsigned orders for all owners, and can still place signed ones', async () => {
  const replies: Awaited<ReturnType<typeof post>>[] = []
  for (let i = 0; i < maxUnsigned; i++) {
    const from = `0x${(i + 1).toString(16).padStart(40, '0')}`
    replies.push(await post({ ...unsign(await sign(1)), from, receiver: null }))
  }
  expect(replies.at(-1)).toMatchObject({
    status: 400,
    answer: {
      errorType: 'TooManyUnsignedOrders',
      data: { field: 'unsignedOfClient', limit: maxUnsigned, open: maxUnsigned },
    },
  })
  expect((await post(await sign(1))).status).toBe(201)
})
