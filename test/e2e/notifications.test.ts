import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { encodeFunctionData, erc20Abi, type Hex, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { networks } from '#shared/networks.ts'
import type { NotificationResponse } from '#shared/notifications/notificationSchema.ts'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { requestTestMessage, type Subscribed, subscribe } from '#tools/demo/subscribe.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { type SinkChannel, sinkChannels } from '#tools/stack/sinks/createMailbox.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { buildEthFlowOrder, createEthFlowOrder, uidOfEthFlow } from '../helpers/chain/ethFlow.ts'
import { deployShallowToken } from '../helpers/chain/shallowToken.ts'
import { undoFrom } from '../helpers/chain/undoFrom.ts'
import { connectOrderBook, type OrderBook } from '../helpers/console/orderBook.ts'
import { type EventListening, listenToEvents } from '../helpers/http/listenToEvents.ts'
import { type RunningReceiver, startReceiver } from '../helpers/http/startReceiver.ts'
import { signCancellation } from '../helpers/orders/signCancellation.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { connectSinks, findLink, followLink, type SinksClient, subscribeToAll } from '../helpers/stack/subscriber.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let book: OrderBook
let sinks: SinksClient
let subscribed: Record<SinkChannel, Subscribed>
/** receives alarms */
let operator: RunningReceiver

const alertSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

beforeAll(async () => {
  operator = await startReceiver()
  const alerts = { ALERT_WEBHOOK_URL: `${operator.url}/alerts`, ALERT_WEBHOOK_SECRET: alertSecret }
  stack = await startTestStack({ vars: { notifier: alerts } })
  book = connectOrderBook(stack.info)
  sinks = connectSinks(stack.info)
  const { privateKey } = trader()
  for (const symbol of ['WETH', 'USDC']) await connectTrader(stack.info, privateKey).approveRelayer(token(symbol))
  subscribed = await subscribeToAll(stack.info, privateKey, 'trader')
})
afterAll(async () => {
  await stack?.stop()
  await operator?.stop()
})

/** Some blocks: each dispatches again, so a duplicate message would arrive meanwhile. */
const quietMs = 6_000

/** The newest message before a test. */
let before: number
beforeEach(async () => {
  before = (await sinks.list()).at(-1)?.seq ?? 0
})

const account = (index: number) => {
  const found = stack.info.accounts[index]
  if (!found) throw new Error(`no account ${index}`)
  return found
}
const trader = () => account(0)
const token = (symbol: string): Hex => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found.address
}

/** The body of a webhook. */
type Sent = { type: string; data: { id: string } }

type Listed = Pick<NotificationResponse, 'id' | 'type' | 'message'> & {
  metadata: { orderUid: string; blockNumber?: number }
}

const list = async (owner = trader().address): Promise<Listed[]> => {
  const response = await fetch(`${stack.info.baseUrl}/accounts/${owner}/notifications?limit=100`)
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=300'])
  return (await response.json()) as Listed[]
}
const typesOf = (notified: readonly Listed[], uid: string) =>
  notified.flatMap(({ type, metadata }) => (metadata.orderUid === uid ? type : [])).toSorted()

const waitForTypes = async (expected: ReadonlyMap<string, string[]>): Promise<Listed[]> => {
  let notified: Listed[] = []
  const isComplete = async (): Promise<boolean> => {
    notified = await list()
    return [...expected].every(([uid, types]) => String(typesOf(notified, uid)) === String(types))
  }
  await waitUntil('the notifications', isComplete, { timeoutMs: patienceMs, intervalMs: 500 }).catch((error) => {
    const missing = [...expected].map(
      ([uid, types]) => `${uid.slice(0, 10)}: ${types}, notified ${typesOf(notified, uid)}`,
    )
    throw new Error(`${error.message}\n${missing.join('\n')}`)
  })
  return notified.filter(({ metadata }) => expected.has(metadata.orderUid))
}

/** Messages of a channel since the test began: the sentences, sorted. */
const listSentences = async (channel: SinkChannel): Promise<string[]> => {
  const messages = await sinks.list(`?channel=${channel}&since=${before}`)
  // a mail is the sentence and links; a chat has the title, the sentence, a link
  return messages.map(({ text }) => text.split('\n\n')[channel === 'telegram' ? 1 : 0] ?? '').toSorted()
}
const waitForSentences = async (channel: SinkChannel, notified: readonly Listed[]): Promise<void> => {
  const isComplete = async () => (await listSentences(channel)).length >= notified.length
  await waitUntil(`${notified.length} messages by ${channel}`, isComplete, { timeoutMs: patienceMs, intervalMs: 250 })
}
const toIds = (notified: readonly { id: string | number; type: string }[]) =>
  notified.map(({ id, type }) => `${id} ${type}`).toSorted()
const sentencesOf = (notified: readonly Listed[]) => notified.map(({ message }) => message).toSorted()

const post = async (terms: Partial<SignableOrder>): Promise<Hex> =>
  (await book.post(
    await signOrder(stack.info, trader().privateKey, {
      sellToken: token('WETH'),
      buyToken: token('USDC'),
      sellAmount: parseEther('0.1'),
      // the pools pay about 3,000
      buyAmount: parseUnits('150', 6),
      ...terms,
    }),
  )) as Hex
const neverFilled = { buyAmount: parseUnits('1000000', 6) }

const follow = (path: string) => listenToEvents(`${stack.info.baseUrl}/${stack.info.network}/api/v1/${path}/events`)
const notificationsIn = ({ events }: EventListening): { id: number; type: string }[] =>
  events.flatMap(({ data }) => (data.notifications as { id: number; type: string }[] | undefined) ?? [])

test('each type reaches the list, both streams and every channel, once', async () => {
  const { address } = trader()
  const accountStream = await follow(`account/${address}/orders`)
  const shallow = await deployShallowToken(stack.chain, 'PART', '10', '30000')
  await shallow.fund(address, '5000')
  const spent = await deployShallowToken(stack.chain, 'GONE', '10', '30000')
  await spent.fund(address, '100')
  const orders = {
    filled: await post({}),
    // the pool pays within the limit for about a quarter of it
    partial: await post({
      sellToken: shallow.address,
      buyToken: token('WETH'),
      sellAmount: parseEther('5000'),
      buyAmount: (parseEther('5000') * 10n) / 33_000n,
      partiallyFillable: true,
    }),
    invalidated: await post(neverFilled),
    unfunded: await post({ ...neverFilled, sellToken: spent.address, sellAmount: parseEther('100') }),
  }
  const streams = await Promise.all(Object.values(orders).map((uid) => follow(`orders/${uid}`)))
  // placed by a contract for the trader, and expiring after some seconds
  const { timestamp } = await stack.chain.getBlock()
  const placed = buildEthFlowOrder({
    ...neverFilled,
    buyToken: token('USDC'),
    receiver: address,
    sellAmount: parseEther('0.1'),
    validTo: Number(timestamp) + 15,
  })
  await createEthFlowOrder(stack.chain, address, placed)
  const placedUid = uidOfEthFlow(placed)

  await waitUntil('all are in an auction', async () => (await findLabel(orders.unfunded)) !== 'created', {
    timeoutMs: patienceMs,
  })
  const [to, amount] = [account(3).address, parseEther('99')]
  const give = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  await sendFrom(stack.chain, address, { to: spent.address, data: give })
  const invalidation = { abi: settlementAbi, functionName: 'invalidateOrder', args: [orders.invalidated] } as const
  const { settlementContract } = networks.sepolia
  await sendFrom(stack.chain, address, { to: settlementContract, data: encodeFunctionData(invalidation) })
  await book.waitFor(orders.partial, ({ executedSellAmount }) => executedSellAmount !== '0')
  await cancel(orders.partial)

  const notified = await waitForTypes(
    new Map([
      [orders.filled, ['order_filled', 'price_improvement']],
      [orders.partial, ['order_cancelled', 'order_partially_filled', 'price_improvement']],
      [orders.invalidated, ['order_cancelled']],
      [orders.unfunded, ['insufficient_balance']],
      [placedUid, ['order_expired']],
    ]),
  )
  expect(notified.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Your order on Sepolia sold 0\.1 WETH for \d[\d.,]* USDC\.$/),
      expect.stringMatching(/^Your order on Sepolia to sell 0\.1 ETH for at least 1,000,000 USDC expired unfilled\.$/),
      expect.stringContaining('waits for funds: it needs 100 GONE, and the account has 1 GONE.'),
    ]),
  )
  expect(await list(networks.sepolia.ethFlow)).toEqual([])

  for (const channel of sinkChannels) {
    await waitForSentences(channel, notified)
    expect([channel, await listSentences(channel)]).toEqual([channel, sentencesOf(notified)])
  }
  const hooks = await sinks.list(`?channel=webhook&since=${before}`)
  expect(hooks.every(({ verified }) => verified)).toBe(true)
  // known only since its block was indexed
  const orderStreams = [...streams, await follow(`orders/${placedUid}`)]
  const ids = toIds(notified)
  for (const listening of [[accountStream], orderStreams]) {
    await waitUntil('the streams', async () => listening.flatMap(notificationsIn).length >= notified.length, {
      timeoutMs: patienceMs,
    })
  }
  await sleep(quietMs)
  expect(toIds(await list())).toEqual(ids)
  for (const listening of [[accountStream], orderStreams])
    expect(toIds(listening.flatMap(notificationsIn))).toEqual(ids)
  for (const channel of sinkChannels)
    expect([channel, await listSentences(channel)]).toEqual([channel, sentencesOf(notified)])
  for (const stream of [accountStream, ...orderStreams]) stream.close()
})

const findLabel = async (uid: string): Promise<string | undefined> => {
  const report = await book.get<{ events: { label: string }[] }>(`/debug/order/${uid}`)
  return report.events.at(-1)?.label
}
const cancel = async (uid: Hex): Promise<void> => {
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders/${uid}`, {
    method: 'DELETE',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(await signCancellation(uid)),
  })
  expect(response.status).toBe(200)
}

describe('subscriptions', () => {
  test.each(sinkChannels)('a test message arrives by %s', async (channel) => {
    const sent = await requestTestMessage(stack.info, trader().privateKey, subscribed[channel].id)
    expect(sent).toEqual({ outcome: 'delivered' })
    expect(await sinks.list(`?channel=${channel}&since=${before}`)).toHaveLength(1)
  })

  test('a webhook without a valid response to the challenge, and an unconfirmed mail address, receive nothing', async () => {
    await sinks.fail('webhook', { status: 500, times: 1 })
    const { privateKey } = account(1)
    const target = `${stack.info.sinksUrl}/webhooks/other`
    const failed = await subscribe(stack.info, privateKey, { channel: 'webhook', target })
    expect(failed).toMatchObject({ confirmed: false, reason: expect.stringContaining('500') })
    const email = await subscribe(stack.info, privateKey, { channel: 'email', target: 'other@edgebook.test' })
    expect(email.confirmed).toBe(false)
    const { status } = await sinks.startChat('no-code-of-ours')
    expect(status).toBe(200)
    expect(await subscribe(stack.info, privateKey, { channel: 'webhook', target })).toMatchObject({
      id: failed.id,
      confirmed: true,
    })
  })
})

describe('faults', () => {
  let sequence = 0
  /** One event of one order, for this account only. */
  const tell = async (): Promise<Listed[]> => {
    const uid = await post({ ...neverFilled, validTo: Math.floor(Date.now() / 1_000) + 900 + sequence++ })
    await cancel(uid)
    return waitForTypes(new Map([[uid, ['order_cancelled']]]))
  }

  test('a delivery that fails for a while arrives once afterwards', async () => {
    for (const channel of sinkChannels) await sinks.fail(channel, { status: 500, times: 2 })
    const notified = await tell()
    for (const channel of sinkChannels) {
      await waitForSentences(channel, notified)
      expect([channel, await listSentences(channel)]).toEqual([channel, sentencesOf(notified)])
    }
    expect(await sinks.listFaults()).toEqual([])
  })

  test('an event undone by a reorganisation is retracted by every channel, once, and sent again when it repeats', async () => {
    const uid = await post({})
    const types = ['order_filled', 'price_improvement']
    const notified = await waitForTypes(new Map([[uid, types]]))
    for (const channel of sinkChannels) await waitForSentences(channel, notified)
    const blockNumber = Number(notified[0]?.metadata.blockNumber)
    before = (await sinks.list()).at(-1)?.seq ?? 0

    await undoFrom(stack.chain, blockNumber)
    const summarise = async (channel: SinkChannel) => {
      const messages = await sinks.list(`?channel=${channel}&since=${before}`)
      const corrections = messages.filter(({ type, title, text }) =>
        type ? type === 'notification.retracted' : /^Correction: /.test(title || text),
      )
      return { corrections: corrections.length, all: messages.length }
    }
    const expected = { corrections: types.length, all: 2 * types.length }
    for (const channel of sinkChannels) {
      const isComplete = async () => (await summarise(channel)).all >= expected.all
      await waitUntil(`corrections by ${channel}`, isComplete, { timeoutMs: patienceMs, intervalMs: 250 })
    }
    await sleep(quietMs)
    for (const channel of sinkChannels) expect([channel, await summarise(channel)]).toEqual([channel, expected])
    const again = await waitForTypes(new Map([[uid, types]]))
    const known = new Set(notified.map(({ id }) => id))
    expect(again.filter(({ id }) => known.has(id))).toEqual([])
    const taken = await sinks.list(`?channel=webhook&since=${before}`)
    const ofWebhook = (type: RegExp) =>
      taken.flatMap(({ body }) => (type.test((body as Sent).type) ? (body as Sent).data.id : [])).toSorted()
    expect(ofWebhook(/^notification\.retracted$/)).toEqual(notified.map(({ id }) => id).toSorted())
    expect(ofWebhook(/^(order|price)_/)).toEqual(again.map(({ id }) => id).toSorted())
  })

  test('the unsubscribe link of a mail ends all mails', async () => {
    const mails = await sinks.list('?channel=email&to=trader@edgebook.test')
    expect(await followLink(findLink(mails.at(-1)?.text, 'unsubscribe'))).toContain('Unsubscribed')
    const notified = await tell()
    await waitForSentences('push', notified)
    expect(await listSentences('email')).toEqual([])
  })

  /** Waits for the lease of the lost attempt, a minute: in the long run (`LONG=1`). */
  const testLong = test.skipIf(!process.env.LONG)

  testLong('nothing is lost when the Workers are killed while a message is on its way', async () => {
    // the receiver never has the first message
    await sinks.fail('webhook', { status: 500, delayMs: 4_000, times: 1 })
    const notified = await tell()
    await waitUntil('a message is on its way', async () => (await sinks.listFaults()).length === 0, {
      timeoutMs: patienceMs,
    })
    await stack.workers.kill()
    await stack.workers.start()
    for (const channel of ['webhook', 'telegram', 'push'] as const) {
      const isThere = async () => new Set(await listSentences(channel)).size >= notified.length
      await waitUntil(`the messages by ${channel}`, isThere, { timeoutMs: 150_000, intervalMs: 500 })
      expect([...new Set(await listSentences(channel))]).toEqual(sentencesOf(notified))
    }
    const hooks = await sinks.list(`?channel=webhook&since=${before}`)
    expect(hooks.map(({ attempt, verified }) => [attempt, verified])).toEqual([[2, true]])
  })
})

test('a solver without gas raises an alarm at the operator, once, which ends after it is funded again', async () => {
  const { address } = stack.info.solvers[0] as { address: Hex }
  const readAlerts = () =>
    operator.received
      .map(({ body, headers }) => new Webhook(alertSecret).verify(body.toString(), headers as Record<string, string>))
      .map((alert) => alert as { type: string; data: { network: string; alarm: string; solver: string | null } })
      .filter(({ data }) => data.alarm === 'solverFault' && data.solver === address.toLowerCase())
  const waitForAlerts = (count: number) =>
    waitUntil(
      `${count} alerts`,
      async () => {
        stack.workers.runCrons()
        return readAlerts().length >= count
      },
      { timeoutMs: 100_000, intervalMs: 2_000 },
    )
  const balance = await stack.chain.getBalance({ address })
  await stack.chain.setBalance({ address, value: 0n })
  try {
    await waitForAlerts(1)
  } finally {
    await stack.chain.setBalance({ address, value: balance })
  }
  await waitForAlerts(2)
  expect(readAlerts().map(({ type, data }) => [type, data.network])).toEqual([
    ['alarm.raised', 'sepolia'],
    ['alarm.resolved', 'sepolia'],
  ])
})
