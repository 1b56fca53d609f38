import { type Address, encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { type EventListening, type HeardEvent, listenToEvents } from '../helpers/http/listenToEvents.ts'
import { openTestSocket, type SocketMessage, type TestSocket } from '../helpers/http/openTestSocket.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let trader: Trader
const open: Pick<EventListening, 'close'>[] = []

beforeAll(async () => {
  stack = await useSharedStack()
  trader = connectTrader(stack.info, privateKey())
  await trader.approveRelayer(token('WETH'))
})
afterEach(() => {
  for (const listening of open.splice(0)) listening.close()
})
afterAll(() => stack?.stop())

const privateKey = () => stack.info.accounts[0]?.privateKey as Hex
const accountOf = (i: number): Address => stack.info.accounts[i]?.address as Address
const token = (symbol: string) => findToken(stack.info, symbol).address

const listen = async (url: string, headers?: Record<string, string>): Promise<EventListening> => {
  const listening = await listenToEvents(url, headers)
  open.push(listening)
  return listening
}
/** Names of the heard events. A busy machine may be slow enough for a ping among them. */
const namesOf = ({ events }: EventListening) => events.flatMap(({ name }) => (name === 'ping' ? [] : name))

const accounts = () => `${stack.info.baseUrl}/${stack.info.chainId}/accounts`
const balancesUrl = (account: Address, ...tokens: string[]) =>
  `${accounts()}/${account}/balances/sse?tokens=${tokens.join()}`
const transfer = (from: Address, symbol: string, to: Address, amount: bigint) =>
  sendFrom(stack.chain, from, {
    to: token(symbol),
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })

test('a stream of balances begins with all balances and sends each change of its own tokens', async () => {
  const [account, other] = [accountOf(1), accountOf(2)]
  const listening = await listen(balancesUrl(account, token('USDC'), token('DAI')))
  expect(listening.status).toBe(200)
  expect(listening.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
  })
  const ofWeth = await listen(balancesUrl(account, token('WETH')))
  const initial = await listening.hear('initial_balances')
  await ofWeth.hear('initial_balances')
  const rest = await (await fetch(`${accounts()}/${account}/balances?tokens=${token('USDC')},${token('DAI')}`)).json()
  expect(initial.data).toEqual({ balances: rest })
  expect(listening.retry()).toBe('2000')

  const [usdc] = rest as { balance: string }[]
  await transfer(account, 'USDC', other, 9n)
  const update = await listening.hear('balance_update')
  expect(update).toEqual({
    id: expect.stringMatching(/^[0-9a-z]+-[0-9a-z]+-\d+$/),
    name: 'balance_update',
    data: {
      type: 'balance_change',
      chainId: 11_155_111,
      timestamp: expect.any(Number),
      userAddress: account,
      tokenAddress: token('USDC'),
      oldBalance: usdc?.balance,
      newBalance: String(BigInt(usdc?.balance ?? 0) - 9n),
    },
  })
  const args = [networks.sepolia.vaultRelayer, 123n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  await sendFrom(stack.chain, account, { to: token('USDC'), data })
  expect((await listening.hear('balance_update', listening.events.indexOf(update) + 1)).data).toMatchObject({
    type: 'allowance_change',
    oldAllowance: '0',
    newAllowance: '123',
  })
  expect(namesOf(ofWeth)).toEqual(['initial_balances'])
})

test('a stream of balances resumes with the changes since its last event', async () => {
  const [account, other] = [accountOf(2), accountOf(3)]
  const url = balancesUrl(account, token('USDC'), token('DAI'))
  const first = await listen(url)
  const { id } = await first.hear('initial_balances')
  first.close()
  await transfer(account, 'USDC', other, 3n)
  const second = await listen(url, { 'Last-Event-ID': `${id}` })
  const update = await second.hear('balance_update')
  expect(update.data).toMatchObject({ type: 'balance_change', tokenAddress: token('USDC') })

  const third = await listen(url, { 'Last-Event-ID': `${update.id}` })
  await transfer(account, 'DAI', other, 4n)
  expect((await third.hear('balance_update')).data).toMatchObject({ tokenAddress: token('DAI') })
  expect(namesOf(third)).toEqual(['balance_update'])

  const stranger = await listen(url, { 'Last-Event-ID': 'abc-def-7' })
  await stranger.hear('initial_balances')
})

const ordersUrl = (topic: { order: string } | { account: string }) => {
  const base = `${stack.info.baseUrl}/${stack.info.network}/api/v1`
  return 'order' in topic ? `${base}/orders/${topic.order}/events` : `${base}/account/${topic.account}/orders/events`
}
/** Posts an order of 0.05 WETH for `usdc` or more. */
const post = (usdc = '50'): Promise<string> =>
  postSignedOrder(stack.info, privateKey(), {
    sellToken: token('WETH'),
    buyToken: token('USDC'),
    sellAmount: parseUnits('0.05', 18),
    buyAmount: parseUnits(usdc, 6),
  })
const ordersOf = ({ events }: EventListening) => events.filter(({ name }) => name === 'order')
const labelsOf = (listening: EventListening) => ordersOf(listening).map(({ data }) => data.label)
const hearLabel = async (listening: EventListening, label: string): Promise<HeardEvent> => {
  const find = () => ordersOf(listening).find(({ data }) => data.label === label)
  await waitUntil(`the event ${label}`, async () => find() !== undefined, { timeoutMs: patienceMs, intervalMs: 10 })
  return find() as HeardEvent
}

test('a stream of an order follows it from its placement to its trade, as that of its account does', async () => {
  const ofAccount = await listen(ordersUrl({ account: accountOf(0) }))
  const ofOther = await listen(ordersUrl({ account: accountOf(1) }))
  await ofAccount.hear('position')
  const uid = await post()
  const ofOrder = await listen(ordersUrl({ order: uid }))
  expect(ofOrder.status).toBe(200)
  expect(ofOrder.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
  })
  await hearLabel(ofOrder, 'created')
  expect(ofOrder.retry()).toBe('2000')
  const traded = await hearLabel(ofOrder, 'traded')
  const stored = await trader.orderBook.getOrder(uid)
  expect(traded.data).toEqual({
    id: expect.any(Number),
    orderUid: uid,
    order: {
      ...{ owner: accountOf(0).toLowerCase(), kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC') },
      ...{ sellAmount: stored.sellAmount, buyAmount: stored.buyAmount, validTo: stored.validTo },
    },
    label: 'traded',
    reason: null,
    timestamp: expect.any(String),
    status: 'fulfilled',
    auctionId: expect.any(Number),
    blockNumber: expect.any(Number),
    data: null,
    executedSellAmount: stored.executedSellAmount,
    executedBuyAmount: stored.executedBuyAmount,
    trade: {
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      logIndex: expect.any(Number),
      sellAmount: stored.executedSellAmount,
      buyAmount: stored.executedBuyAmount,
      feeAmount: '0',
      executedFee: stored.executedFee,
    },
    notifications: expect.arrayContaining([{ id: expect.any(Number), type: 'order_filled' }]),
  })
  await hearLabel(ofAccount, 'traded')
  expect(labelsOf(ofOrder).slice(0, 1)).toEqual(['created'])
  expect(ordersOf(ofAccount)).toEqual(ordersOf(ofOrder).map((event) => ({ ...event, data: expect.anything() })))
  expect(namesOf(ofOther)).toEqual(['position'])
})

test('a stream of an order resumes with the events since its last one', async () => {
  const uid = await post('1000000')
  const first = await listen(ordersUrl({ order: uid }))
  const { id } = await hearLabel(first, 'created')
  first.close()
  await trader.sdk.offChainCancelOrder({ orderUid: uid })
  const second = await listen(ordersUrl({ order: uid }), { 'Last-Event-ID': `${id}` })
  expect((await hearLabel(second, 'cancelled')).data.status).toBe('cancelled')
  expect(labelsOf(second)).not.toContain('created')
})

const openSocket = async (): Promise<TestSocket> => {
  const socket = await openTestSocket(`${stack.info.baseUrl}/${stack.info.network}`)
  open.push(socket)
  return socket
}
const isEvent =
  (id: string, uid: string, label: string) =>
  ({ type, id: of, data }: SocketMessage): boolean =>
    type === 'event' && of === id && data?.orderUid === uid && data.label === label
const isSubscribed =
  (id: string) =>
  ({ type, id: of }: SocketMessage): boolean =>
    type === 'subscribed' && of === id
const eventsOf = ({ messages }: TestSocket, id: string) =>
  messages.flatMap(({ type, id: of, data }) => (type === 'event' && of === id ? [data] : []))

test('one WebSocket follows an order, its account, its pair, its balances, trades and auctions to its trade', async () => {
  const socket = await openSocket()
  const pair = `${token('USDC')}-${token('WETH')}`
  socket.send({ type: 'subscribe', id: 'account', channel: 'account', account: accountOf(0) })
  socket.send({ type: 'subscribe', id: 'pair', channel: 'pair', pair })
  socket.send({ type: 'subscribe', id: 'trades', channel: 'trades', pair })
  socket.send({ type: 'subscribe', id: 'auctions', channel: 'auctions' })
  socket.send({ type: 'subscribe', id: 'price', channel: 'price', token: token('WETH') })
  socket.send({
    type: 'subscribe',
    id: 'held',
    channel: 'balances',
    account: accountOf(0),
    tokens: [token('USDC'), token('WETH')],
  })
  await socket.hear('the balances', ({ type, data }) => type === 'balances' && data?.isSnapshot === true)
  for (const id of ['account', 'pair', 'trades', 'auctions']) await socket.hear(`${id} opens`, isSubscribed(id))
  const uid = await post()
  socket.send({ type: 'subscribe', id: 'order', channel: 'order', uid })
  for (const id of ['order', 'account', 'pair', 'trades', 'auctions'])
    await socket.hear(`the trade in ${id}`, isEvent(id, uid, 'traded'))
  const { snapshot } = await socket.hear('the order opens', isSubscribed('order'))
  const ofOrder = [...(snapshot ?? []), ...eventsOf(socket, 'order')]
  expect(ofOrder[0]).toMatchObject({ label: 'created' })
  const ids = (events: readonly unknown[]) => events.map((event) => (event as { id: number }).id)
  expect(ids(eventsOf(socket, 'account'))).toEqual(ids(ofOrder))
  const price = await socket.hear('the price', ({ type, data }) => type === 'price' && data?.price !== null)
  expect(price).toMatchObject({ id: 'price', data: { token: token('WETH').toLowerCase(), price: `${10n ** 18n}` } })
  const changed = await socket.hear(
    'the changed balances',
    ({ type, data }) => type === 'balances' && data?.isSnapshot === false,
  )
  expect(changed).toMatchObject({ id: 'held', data: { account: accountOf(0).toLowerCase() } })
  socket.send({ type: 'unsubscribe', id: 'wrong' })
  const error = await socket.hear('the error', ({ type }) => type === 'error')
  expect(error).toMatchObject({ id: 'wrong', errorType: 'NotFound' })
})

test('a WebSocket resumes without loss after its connection is lost', async () => {
  const uid = await post('1000000')
  const first = await openSocket()
  first.send({ type: 'subscribe', id: 'mine', channel: 'order', uid })
  const { snapshot, seq } = await first.hear('the order opens', isSubscribed('mine'))
  const seen = () => [...(snapshot ?? []), ...eventsOf(first, 'mine')]
  if (!snapshot?.some(({ label }) => label === 'created'))
    await first.hear('it is created', isEvent('mine', uid, 'created'))
  const resume = first.messages.findLast(({ id, seq: at }) => id === 'mine' && at !== undefined)?.seq ?? seq
  const before = seen().length
  first.close()
  await trader.sdk.offChainCancelOrder({ orderUid: uid })
  const second = await openSocket()
  second.send({ type: 'subscribe', id: 'again', channel: 'order', uid, resume })
  await second.hear('it is cancelled', isEvent('again', uid, 'cancelled'))
  expect((await second.hear('it is resumed', isSubscribed('again'))).snapshot).toBeUndefined()
  const all = await openSocket()
  all.send({ type: 'subscribe', id: 'all', channel: 'order', uid })
  const whole = (await all.hear('the whole order', isSubscribed('all'))).snapshot ?? []
  expect(before + eventsOf(second, 'again').length).toBe(whole.length)
})
