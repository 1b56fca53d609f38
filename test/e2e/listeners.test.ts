import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { type BadNode, startBadNode } from '#tools/stack/chain/badNode.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { waitForLog } from '../helpers/database/log/waitForLog.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../helpers/database/startDatabaseProxy.ts'
import { type EventListening, type HeardEvent, listenToEvents } from '../helpers/http/listenToEvents.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { findAlarms } from '../helpers/stack/findAlarms.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

/** More of them in the long run (`LONG=1`). */
const crowd = process.env.LONG ? 1_000 : 200
/** WebSockets, each with twenty subscriptions */
const socketCrowd = process.env.LONG ? 500 : 20
const pollMs = 500
/** listeners of one account's balances, or of one topic of events */
const perTopic = crowd + 5
const perClient = crowd + 10
/**
 * A disconnected client is noticed with one of the next writes, every two seconds, or after 30 seconds without reading.
 */
const noticedMs = 90_000

let dir: string
let stack: Stack
/** between the accounts Worker and the chain: counts its calls */
let node: BadNode
/** between the streams Worker and the database */
let database: DatabaseProxy
const open: EventListening[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'edgebook-listeners-'))
  const [rpcPort, dbPort] = [await findPort(0, 'RPC_PORT'), await findPort(0, 'DB_PORT')]
  node = await startBadNode(`http://127.0.0.1:${rpcPort}`)
  database = await startDatabaseProxy(`http://127.0.0.1:${dbPort}/sql`)
  const accounts = {
    RPC_URLS: JSON.stringify({ sepolia: node.url }),
    BALANCES_POLL_MS: String(pollMs),
    STREAMS_PER_ACCOUNT: String(perTopic),
    STREAMS_PER_CLIENT: String(perClient),
  }
  const streams = {
    DATABASE_URL: database.databaseUrl,
    ORDER_STREAMS_PER_CLIENT: String(perClient),
  }
  stack = await startTestStack({ dir, rpcPort, dbPort, vars: { accounts, streams } })
})

afterAll(async () => {
  await stack?.stop()
  node?.close()
  database?.close()
  await rm(dir, { recursive: true, force: true })
})

const accountOf = (i: number): Address => stack.info.accounts[i]?.address as Address
const token = (symbol: string) => findToken(stack.info, symbol).address

const listen = async (url: string): Promise<EventListening> => {
  const listening = await listenToEvents(url)
  open.push(listening)
  return listening
}

describe('balances of an account', () => {
  const base = () => `${stack.info.baseUrl}/${stack.info.chainId}/accounts`

  afterEach(async () => {
    for (const listening of open.splice(0)) listening.close()
    await expectSilence()
  })

  const urlOf = (account: Address, ...tokens: string[]) => `${base()}/${account}/balances/sse?tokens=${tokens.join()}`

  const transfer = (from: Address, symbol: string, to: Address, amount: bigint) =>
    sendFrom(stack.chain, from, {
      to: token(symbol),
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
    })

  const countCalls = (method: string) => node.calls.filter((call) => call.method === method).length

  const findWatches = () => findAlarms(dir, 'edgebook-accounts-BalanceWatch')

  /**
   * No alarm is left, and the Worker sends nothing to the chain any more: no timer, no read. On a busy machine the
   * request of a disconnected client may reach its watch after all others were noticed.
   */
  const expectSilence = async () => {
    const isSilent = async () => {
      if (findWatches().length > 0) return false
      node.calls.length = 0
      await sleep(4 * pollMs)
      return findWatches().length === 0 && node.calls.length === 0
    }
    await waitUntil('no alarm is set and no request is sent', isSilent, { timeoutMs: noticedMs, intervalMs: pollMs })
  }

  test('leaves nothing behind when clients leave at any moment', async () => {
    const url = urlOf(accountOf(0), token('DAI'))
    const leaveAfter = (ms: number) =>
      fetch(url, { signal: AbortSignal.timeout(ms) }).then((response) => response.text())
    const left = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => leaveAfter(1 + 4 * i)))
    expect(left.map(({ status }) => status)).not.toContain('fulfilled')
    await expectSilence()
  })

  test(`${crowd} listeners cost as much as one and leave nothing behind`, async () => {
    const [account, other] = [accountOf(3), accountOf(2)]
    const url = urlOf(account, token('USDC'), token('DAI'), nativeSentinel)
    const lanes = Array.from({ length: 20 }, async () => {
      for (let i = 0; i < crowd / 20; i++) await listen(url)
    })
    await Promise.all(lanes)
    expect(open.filter(({ status }) => status === 200)).toHaveLength(crowd)
    await Promise.all(open.map(({ hear }) => hear('initial_balances')))

    const firstBlock = await stack.chain.getBlockNumber()
    node.calls.length = 0
    await transfer(account, 'USDC', other, 1n)
    await Promise.all(open.map(({ hear }) => hear('balance_update')))
    await sleep(6_000)
    const [reads, heads] = [countCalls('eth_call'), countCalls('eth_blockNumber')]
    const blocks = Number((await stack.chain.getBlockNumber()) - firstBlock)
    console.log(`${crowd} listeners: ${blocks} blocks, ${reads} reads, ${heads} heads`)
    expect(blocks).toBeGreaterThan(2)
    expect(reads).toBeGreaterThan(1)
    expect(reads).toBeLessThanOrEqual(blocks + 1)

    const fill = async (more: number, address: Address) => {
      for (let i = 0; i < more; i++) expect((await listen(urlOf(address, token('WETH')))).status).toBe(200)
    }
    const expectRefusal = async (address: Address, limit: string, max: number) => {
      const response = await fetch(urlOf(address, token('WETH')))
      expect(response.status).toBe(429)
      expect(response.headers.get('retry-after')).toBe('30')
      expect(await response.json()).toMatchObject({ message: expect.any(String), data: { limit, max } })
    }
    await fill(perTopic - crowd, account)
    // a full watch refuses no client: the client gets a new watch
    await fill(1, account)
    await fill(perClient - perTopic - 1, other)
    await expectRefusal(accountOf(0), 'streamsPerClient', perClient)

    const pings = () => open[0]?.events.filter(({ name }) => name === 'ping').length ?? 0
    await waitUntil('the third ping', async () => pings() >= 3, { timeoutMs: 120_000 })
    expect(open.filter(({ isOpen }) => isOpen())).toHaveLength(perClient)

    for (const listening of open.splice(0)) listening.close()
    await expectSilence()
    expect((await listen(urlOf(accountOf(0), token('WETH')))).status).toBe(200)
  })
})

describe('events of orders', () => {
  let base: string
  let trader: Trader
  let salt = 0
  const privateKey = () => stack.info.accounts[0]?.privateKey as Hex

  beforeAll(async () => {
    base = `${stack.info.baseUrl}/sepolia/api/v1`
    trader = connectTrader(stack.info, privateKey())
    await trader.approveRelayer(token('WETH'))
  })

  afterEach(async () => {
    for (const listening of open.splice(0)) listening.close()
    await expectSilence()
  })

  /** Posts an order of 0.05 WETH for `usdc` or more; each is another one. */
  const post = (usdc = '50'): Promise<string> => {
    salt += 1
    return postSignedOrder(stack.info, privateKey(), {
      sellToken: token('WETH'),
      buyToken: token('USDC'),
      sellAmount: parseUnits('0.05', 18),
      buyAmount: parseUnits(usdc, 6),
      validTo: Math.floor(Date.now() / 1_000) + 3_600 + salt,
    })
  }
  const cancel = (uid: string) => trader.sdk.offChainCancelOrder({ orderUid: uid })

  /** An account without orders. */
  const toAddress = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`

  const urlOf = (topic: { order: string } | { account: string }) =>
    'order' in topic ? `${base}/orders/${topic.order}/events` : `${base}/account/${topic.account}/orders/events`

  const ordersOf = ({ events }: EventListening) => events.filter(({ name }) => name === 'order')
  const hearLabel = async (listening: EventListening, label: string): Promise<HeardEvent> => {
    const find = () => ordersOf(listening).find(({ data }) => data.label === label)
    await waitUntil(`the event ${label}`, async () => find() !== undefined, { timeoutMs: patienceMs, intervalMs: 10 })
    return find() as HeardEvent
  }

  const findFeeds = () => findAlarms(dir, 'edgebook-streams-sepolia-EventFeed')

  /**
   * No alarm is left, and the Worker sends no more queries to the database. On a busy machine the request of a client
   * that has left may come to its feed after all others were noticed.
   */
  const expectSilence = async () => {
    const isSilent = async () => {
      const before = database.count()
      if (findFeeds().length > 0) return false
      await sleep(4 * pollMs)
      return findFeeds().length === 0 && database.count() === before
    }
    await waitUntil('no alarm is set and nothing is asked', isSilent, { timeoutMs: noticedMs, intervalMs: pollMs })
  }

  test('a stream of order events shows a change of status within a second of its commit: with the next or the second poll', async () => {
    const records = connectDatabase(stack.info.databaseUrl)
    // of one account, so that a single feed polls
    const listening = await listen(urlOf({ account: accountOf(0) }))
    await listening.hear('position')
    for (let i = 0; i < 5; i++) {
      const uid = await post()
      const findRead = database.follow((answer) => answer.includes(uid.slice(2)) && answer.includes('traded'))
      const isStored = async () =>
        (await records.$count(
          orderEvents,
          and(eq(orderEvents.orderUid, uid as Hex), eq(orderEvents.label, 'traded')),
        )) > 0
      await waitUntil('the trade is stored', isStored, { timeoutMs: patienceMs, intervalMs: 20 })
      await waitForLog(records)
      const asked = database.count()
      const find = () => ordersOf(listening).find(({ data }) => data.orderUid === uid && data.label === 'traded')
      await waitUntil('the trade', async () => find() !== undefined, { timeoutMs: patienceMs })
      expect(find()?.data.status).toBe('fulfilled')
      expect(Number(findRead()) - asked).toBeLessThanOrEqual(2)
    }
  })

  test('clients that leave at any moment leave nothing behind', async () => {
    const url = urlOf({ account: accountOf(0) })
    const leaveAfter = (ms: number) =>
      fetch(url, { signal: AbortSignal.timeout(ms) }).then((response) => response.text())
    const left = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => leaveAfter(1 + 4 * i)))
    expect(left.map(({ status }) => status)).not.toContain('fulfilled')
    await expectSilence()
  })

  test(`${socketCrowd} WebSockets with twenty subscriptions each hear every event of an order`, async () => {
    const [account, pair] = [accountOf(0), `${token('WETH')}-${token('USDC')}`]
    const channels = [
      ...Array.from({ length: 17 }, (_, i) => ({ channel: 'account', account: i === 0 ? account : toAddress(i) })),
      ...[{ channel: 'pair', pair }, { channel: 'trades' }, { channel: 'auctions' }],
    ]
    const delays: number[] = []
    const seen = new Map<string, number>()
    let opened = 0
    const hear = (socket: WebSocket, text: string): void => {
      const { type, id, events = [] } = JSON.parse(text)
      if (type === 'ping') socket.send(JSON.stringify({ type: 'pong', id }))
      if (type === 'subscribed') opened += 1
      for (const { ids, data } of events)
        for (const of of ids) {
          delays.push(Date.now() - Date.parse(data.timestamp))
          const key = `${data.orderUid} ${of} ${data.label}`
          seen.set(key, (seen.get(key) ?? 0) + 1)
        }
    }
    const connect = async (): Promise<WebSocket> => {
      const socket = new WebSocket(`${base.replace('http', 'ws')}/ws`)
      socket.addEventListener('message', ({ data }) => hear(socket, String(data)))
      await once(socket, 'open')
      for (const [i, channel] of channels.entries())
        socket.send(JSON.stringify({ type: 'subscribe', id: `${i}`, ...channel }))
      return socket
    }
    const sockets: WebSocket[] = []
    for (let i = 0; i < socketCrowd; i += 10) sockets.push(...(await Promise.all(Array.from({ length: 10 }, connect))))
    const areOpen = async () => opened === socketCrowd * channels.length
    await waitUntil('all subscriptions open', areOpen, { timeoutMs: patienceMs })
    delays.length = 0
    const uids: string[] = []
    for (let i = 0; i < 5; i++) uids.push(await post())
    const isHeard = async () =>
      uids.every((uid) => ['0', '17', '18'].every((id) => seen.get(`${uid} ${id} traded`) === socketCrowd))
    await waitUntil('every trade is heard once in each of its channels', isHeard, { timeoutMs: patienceMs })
    const ranked = delays.toSorted((a, b) => a - b)
    const at = (share: number) => ranked[Math.floor(share * ranked.length)]
    console.log(
      `${opened} subscriptions, ${ranked.length} events: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms after their timestamps`,
    )
    for (const socket of sockets) socket.close()
  })

  test(`${crowd} listeners cost what one does, and none of them leaves anything behind`, async () => {
    const account = accountOf(0)
    const measure = async () => {
      const [before, start] = [database.count(), Date.now()]
      await sleep(10 * pollMs)
      return { queries: database.count() - before, ms: Date.now() - start }
    }
    await (await listen(urlOf({ account }))).hear('position')
    const { queries: ofOne } = await measure()
    const lanes = Array.from({ length: 20 }, async (_, lane) => {
      for (let i = lane === 0 ? 1 : 0; i < crowd / 20; i++) await listen(urlOf({ account }))
    })
    await Promise.all(lanes)
    expect(open.filter(({ status }) => status === 200)).toHaveLength(crowd)
    await Promise.all(open.map(({ hear }) => hear('position')))
    const { queries: ofAll, ms } = await measure()
    const uid = await post('1000000')
    const created = await Promise.all(open.map((listening) => hearLabel(listening, 'created')))
    const delay = Date.now() - Date.parse(String(created[0]?.data.timestamp))
    console.log(
      `queries in 5 s: ${ofOne} of one listener, ${ofAll} of ${crowd} in ${ms} ms; all were notified within ${delay} ms`,
    )
    expect(ofOne).toBeGreaterThan(1)
    // as many as one requests
    expect(ofAll).toBeLessThanOrEqual(Math.ceil(ms / pollMs) + 1)

    const expectRefusal = async (url: string, limit: string, max: number) => {
      const response = await fetch(url)
      expect(response.status).toBe(429)
      expect(response.headers.get('retry-after')).toBe('30')
      expect(await response.json()).toMatchObject({ errorType: 'RateLimited', data: { limit, max } })
    }
    const fill = async (more: number, url: string) => {
      for (let i = 0; i < more; i++) expect((await listen(url)).status).toBe(200)
    }
    await fill(perTopic - crowd, urlOf({ account }))
    await fill(perClient - perTopic, urlOf({ order: uid }))
    await expectRefusal(urlOf({ account: accountOf(1) }), 'streamsPerClient', perClient)

    const pings = () => open[0]?.events.filter(({ name }) => name === 'ping').length ?? 0
    await waitUntil('the second ping', async () => pings() >= 2, { timeoutMs: 120_000 })
    expect(open.filter(({ isOpen }) => isOpen())).toHaveLength(perClient)

    for (const listening of open.splice(0)) listening.close()
    await expectSilence()
    await cancel(uid)
  })
})
