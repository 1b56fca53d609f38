import { type Address, type Hex, pad, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { LogTopic } from '#schema/queries/events/logTopic.ts'
import type { Quota } from '#shared/http/quota.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { splitEvents } from '#test/helpers/http/openTestSocket.ts'
import { patienceMs } from '#test/helpers/patienceMs.ts'
import { createTestLog } from '#test/helpers/streams/createTestLog.ts'
import { createEventFeed, type EventStreams } from '../createEventFeed.ts'
import { balanceLimits, type HeldToken, type Holding } from './createBalanceReader.ts'
import type { Socket } from './createSockets.ts'
import { socketLimits } from './socketLimits.ts'
import { messageSchemas } from './socketMessages.ts'

const owner: Address = `0x${'aa'.repeat(20)}`
const uidOf = (digit: string): Hex => `0x${digit.repeat(112)}`
const [one, two] = [uidOf('1'), uidOf('2')]
const pair = `${filledOrder.buyToken}-${filledOrder.sellToken}`

let now: number
let alarm: number | undefined
let log: ReturnType<typeof createTestLog>
let write: typeof log.write
/** queries, by their first letter */
let queries: string
let isDown: boolean
let isTooFar: boolean
let auction: { id: number; block: number; prices: Record<string, string> }
let chain: { head: bigint; holdings: Record<Address, Holding>; isDown: boolean }
/** tokens of open orders */
let openTokens: HeldToken[]
/** the node reads after it */
let nodeDelay: Promise<void> | undefined
/** tokens of each read of the node, at its block */
let nodeReads: string[]
let feed: EventStreams

beforeEach(() => {
  now = 1_800_000_000_000
  alarm = undefined
  log = createTestLog(owner, () => now)
  write = log.write
  queries = ''
  isDown = false
  isTooFar = false
  auction = { id: 7, block: 70, prices: { [owner]: '5' } }
  chain = { head: 100n, holdings: {}, isDown: false }
  openTokens = []
  nodeDelay = undefined
  nodeReads = []
  feed = createFeed()
})

const find = async <T>(letter: string, result: T): Promise<T> => {
  queries += letter
  if (isDown) throw new Error('down')
  return result
}
const listMissed = (topic: LogTopic, after?: Parameters<typeof log.listOf>[1]) => ({
  events: isTooFar && after ? [] : log.listOf(topic, after),
  isComplete: !(isTooFar && after),
  horizon: log.horizon(),
})
const createFeed = () =>
  createEventFeed({
    limits: { streamsPerTopic: 3, lifetimeMs: 60_000, pollMs: 500 },
    findHorizon: () => find('h', log.horizon()),
    findNew: (after) => find('n', log.listNew(after)),
    findMissed: (topic, after) => find('m', listMissed(topic, after)),
    findSnapshot: (topic) => find('s', listMissed(topic)),
    findPrices: (known) => find('p', known === auction.id ? { ...auction, prices: null } : auction),
    balances: {
      findHead: async () => {
        await nodeDelay
        if (chain.isDown) throw new Error('down')
        return chain.head
      },
      findHoldings: async (tokens, block) => {
        nodeReads.push(`${tokens.length} at ${block}`)
        return tokens.map(({ token }) => chain.holdings[token] ?? { balance: undefined, allowance: undefined })
      },
      findOpenTokens: async (accounts) => openTokens.filter(({ account }) => accounts.includes(account)),
      pollMs: 500,
    },
    setAlarm: (at) => {
      alarm = at
    },
    now: () => now,
    random: () => 0.5,
    log: () => undefined,
  })

/** Runs the alarm; half a second passes without one. */
const tick = () => {
  now = Math.max(now, alarm ?? now + 500)
  alarm = undefined
  return feed.tick()
}

const serverMessageSchema = z.union(Object.values<z.ZodType>(messageSchemas.server))

type Message = { type: string; id?: string; seq?: string; snapshot?: { label: string }[]; data?: { label: string } }

/** A client with the two ends of its connection; messages that the documents lack fail. */
const connect = (client = 'client', quota?: Quota) => {
  const messages: (Message & Record<string, unknown>)[] = []
  const frames: { type: string; events?: object[] }[] = []
  let attachment: unknown
  let closed: { code: number; reason: string } | undefined
  const socket: Socket = {
    send: (text) => {
      if (closed) throw new Error('closed')
      const message = JSON.parse(text)
      expect(serverMessageSchema.safeParse(message).error, text).toBeUndefined()
      frames.push(message)
      messages.push(...splitEvents(message))
    },
    close: (code, reason) => {
      closed = { code, reason }
    },
    serializeAttachment: (value) => {
      attachment = structuredClone(value)
      expect(JSON.stringify(value).length).toBeLessThan(16 * 1024)
    },
    deserializeAttachment: () => attachment,
  }
  feed.sockets.accept(socket, client, quota)
  return {
    socket,
    /** as sent */
    frames,
    /** with one `event` for each event and subscription */
    messages,
    closed: () => closed,
    say: (message: object) => feed.sockets.receive(socket, JSON.stringify(message)),
    sayText: (text: string | ArrayBuffer) => feed.sockets.receive(socket, text),
    leave: () => feed.sockets.leave(socket),
    /** labels of events, and the types of other messages */
    list: (id?: string) =>
      messages.flatMap((message) => {
        if (message.type === 'ping' || (id !== undefined && message.id !== id)) return []
        if (message.snapshot) return [`snapshot ${message.snapshot.map(({ label }) => label).join()}`.trim()]
        return message.data && message.type === 'event' ? message.data.label : message.type
      }),
    lastSeq: () => messages.findLast(({ seq }) => seq !== undefined)?.seq,
    last: () => messages.at(-1),
  }
}
type Client = ReturnType<typeof connect>

const follow = ({ say }: Client, message: object) => say({ type: 'subscribe', id: 'a', ...message })
const order = (uid: Hex) => ({ channel: 'order', uid })

/** The memory of the object is lost, its connections are not. */
const hibernate = (...clients: Client[]) => {
  feed = createFeed()
  feed.sockets.restore(clients.map(({ socket }) => socket))
}

describe('a subscription', () => {
  test('begins with a snapshot, and continues with each event of its topic once', async () => {
    write(one, 'created')
    write(two, 'created')
    const client = connect()
    follow(client, order(one))
    await tick()
    expect(client.list()).toEqual(['snapshot created'])
    write(two, 'ready')
    write(one, 'traded')
    await tick()
    await tick()
    expect(client.list()).toEqual(['snapshot created', 'traded'])
    expect(client.messages[0]).toMatchObject({ type: 'subscribed', id: 'a', seq: '102-0', isComplete: true })
    expect(client.last()).toMatchObject({ type: 'event', id: 'a', seq: '103-4', data: { orderUid: one } })
  })

  test.each<[object, string[]]>([
    [{ channel: 'account', account: owner.toUpperCase().replace('X', 'x') }, ['created', 'traded']],
    [{ channel: 'conditional_orders', owner }, ['traded']],
    [{ channel: 'conditional_orders', owner: filledOrder.sellToken }, []],
    [{ channel: 'pair', pair }, ['created', 'traded']],
    [{ channel: 'pair', pair: `${owner}-${filledOrder.sellToken}` }, []],
    [{ channel: 'trades' }, ['traded']],
    [{ channel: 'trades', pair }, ['traded']],
    [{ channel: 'trades', pair: `${owner}-${filledOrder.sellToken}` }, []],
    [{ channel: 'auctions' }, ['created', 'traded']],
  ])('to %j gets its events', async (channel, labels) => {
    const client = connect()
    follow(client, channel)
    await tick()
    write(one, 'created')
    write(two, 'traded', null, true)
    await tick()
    expect(client.list()).toEqual(['snapshot', ...labels])
  })

  test('gets all events of a read in one message with the others of its connection, and in several if they are many', async () => {
    const client = connect()
    follow(client, order(one))
    follow(client, { id: 'b', channel: 'account', account: owner })
    await tick()
    client.frames.length = 0
    write(one, 'created')
    write(two, 'created')
    write(one, 'traded')
    await tick()
    const idsOf = ({ events }: { events?: object[] }) => events?.map((event) => (event as { ids: string[] }).ids)
    expect(client.frames.map(idsOf)).toEqual([[['a', 'b'], ['b'], ['a', 'b']]])

    const long = 'x'.repeat(0.6 * socketLimits.eventsLength)
    for (let i = 0; i < 3; i++) write(one, 'ready', null, false, { long })
    await tick()
    expect(client.frames.slice(1).flatMap(idsOf)).toHaveLength(3)
    expect(client.frames.map(({ events }) => events?.length)).toEqual([3, 2, 1])
  })

  test.each<[object, boolean]>([
    [{ channel: 'account', account: owner }, true],
    [{ channel: 'conditional_orders', owner }, true],
    [{ channel: 'pair', pair }, false],
  ])('to %j begins with open conditional orders, follows them and resumes: %j', async (channel, has) => {
    const hash = pad('0xab')
    log.writeConditional(hash, 'opened')
    const client = connect()
    follow(client, channel)
    await tick()
    log.writeConditional(hash, 'ended', 'expired')
    await tick()
    const [opened, ended] = client.messages
    const event = { owner, hash, type: 'twap' }
    expect(opened).toMatchObject({ type: 'subscribed', snapshot: [] })
    expect(opened?.conditionalOrders).toEqual(
      has ? [expect.objectContaining({ ...event, label: 'opened' })] : undefined,
    )
    const end = { type: 'conditional_order', data: { ...event, label: 'ended', reason: 'expired', state: 'ended' } }
    if (has) expect(ended).toMatchObject(end)
    else expect(ended).toBeUndefined()
    const back = connect()
    follow(back, { ...channel, resume: opened?.seq })
    await tick()
    expect(back.messages.slice(1)).toMatchObject(has ? [end] : [])
  })

  test('shares the reads of the log with all others, and none are made without one', async () => {
    const clients = [connect(), connect(), connect()]
    await tick()
    expect([queries, alarm]).toEqual(['', undefined])
    for (const client of clients) follow(client, order(one))
    await tick()
    await tick()
    expect(queries).toBe('hmnn')
    for (const client of clients.slice(1)) client.leave()
    clients[0]?.say({ type: 'unsubscribe', id: 'a' })
    expect(clients[0]?.last()).toEqual({ type: 'unsubscribed', id: 'a' })
    expect(alarm).toBeUndefined()
  })

  test('resumes from the last seq of an earlier connection without loss, also after a restart', async () => {
    const first = connect()
    follow(first, order(one))
    await tick()
    write(one, 'created')
    await tick()
    first.leave()
    write(one, 'ready')
    write(one, 'traded')
    feed = createFeed()
    const second = connect()
    follow(second, { ...order(one), resume: first.lastSeq() })
    await tick()
    expect(second.list()).toEqual(['subscribed', 'ready', 'traded'])
  })

  test.each([
    ['too old', '1-1'],
    ['not of this log', '9999-1'],
  ])('with a seq that is %s begins with a new snapshot', async (_, resume) => {
    write(one, 'created')
    isTooFar = true
    const client = connect()
    follow(client, { channel: 'account', account: owner, resume })
    await tick()
    expect(client.list()).toEqual(['snapshot created'])
  })

  test('of one client does not delay that of another by more than a turn', async () => {
    const busy = Array.from({ length: 4 }, () => connect('busy'))
    for (const [i, client] of busy.entries())
      for (let j = 0; j < 40; j++)
        client.say({ type: 'subscribe', id: `${j}`, ...order(uidOf('1')), resume: `${i}-${j}` })
    const late = connect('late')
    follow(late, order(two))
    await tick()
    expect(late.list()).toEqual(['snapshot'])
    expect(alarm).toBe(now)
    await tick()
    expect(busy.flatMap(({ list }) => list())).toHaveLength(160)
  })
})

describe('a price', () => {
  const pricesOf = ({ messages }: Client) =>
    messages.flatMap(({ type, seq, data }) =>
      type === 'price' ? [`${seq} ${(data as { price?: string }).price}`] : [],
    )
  const cut = (price?: string) => {
    auction = { id: auction.id + 1, block: auction.block + 1, prices: price === undefined ? {} : { [owner]: price } }
    return tick()
  }

  test('is sent at once and when it changes, with one read for all', async () => {
    const [client, other] = [connect(), connect()]
    follow(client, { channel: 'price', token: owner })
    follow(other, { channel: 'price', token: filledOrder.sellToken })
    await tick()
    await cut('5')
    await cut('6')
    await cut()
    expect(client.messages[0]).toEqual({ type: 'subscribed', id: 'a', seq: '0-0' })
    expect(pricesOf(client)).toEqual(['7-0 5', '9-0 6', '10-0 null'])
    expect(pricesOf(other)).toEqual(['7-0 null'])
    expect(queries.match(/p/g)).toHaveLength(4)
    client.say({ type: 'unsubscribe', id: 'a' })
    other.leave()
    expect(alarm).toBeUndefined()
  })

  test('that changed while the memory or the connection was lost is sent afterwards', async () => {
    const [client, quiet] = [connect(), connect()]
    for (const each of [client, quiet]) follow(each, { channel: 'price', token: owner })
    await tick()
    hibernate(client, quiet)
    await tick()
    expect(pricesOf(client)).toEqual(['7-0 5'])
    hibernate(client, quiet)
    await cut('6')
    expect(pricesOf(client)).toEqual(['7-0 5', '8-0 6'])
    client.leave()
    const [same, later] = [connect(), connect()]
    follow(same, { channel: 'price', token: owner, resume: '8-0' })
    follow(later, { channel: 'price', token: owner, resume: '7-0' })
    await tick()
    expect([pricesOf(same), pricesOf(later)]).toEqual([[], ['8-0 6']])
    await cut('7')
    expect(pricesOf(same)).toEqual(['9-0 7'])
  })

  test('waits for a client that does not read, and is the newest one then', async () => {
    const client = connect()
    const max = socketLimits.subscriptionsPerConnection
    for (let i = 0; i < max; i++) client.say({ type: 'subscribe', id: `${i}`, channel: 'price', token: owner })
    const most = 1.5 * socketLimits.unread.paused
    for (let i = 0; i < 200; i++) await cut('5'.repeat(70) + i)
    const size = client.messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
    expect(size).toBeLessThan(most)
    expect(client.closed()).toMatchObject({ reason: 'no pong' })
  })

  test('counts among the subscriptions of a connection', async () => {
    const client = connect('0123:4567:89ab:cdef::/64')
    const max = socketLimits.subscriptionsPerConnection
    for (let i = 0; i <= max; i++)
      client.say({ type: 'subscribe', id: `${i}`.padStart(32, 'x'), channel: 'price', token: owner })
    expect(client.last()).toMatchObject({ errorType: 'RateLimited' })
    client.say({ type: 'subscribe', id: '0'.padStart(32, 'x'), ...order(one) })
    expect(client.last()).toMatchObject({ errorType: 'Conflict' })
    await tick()
    expect(pricesOf(client)).toHaveLength(max)
  })
})

describe('a balance', () => {
  const [sold, bought] = [filledOrder.sellToken, filledOrder.buyToken]
  type Balances = { isSnapshot: boolean; balances: { token: Address; balance: string; allowance: string }[] }
  const balancesOf = ({ messages }: Client) =>
    messages.flatMap(({ type, seq, data }) => {
      if (type !== 'balances') return []
      const { isSnapshot, balances } = data as unknown as Balances
      const listed = balances.map(({ token, balance, allowance }) => {
        const name = token === sold ? 'sold' : token === bought ? 'bought' : token
        return `${name} ${balance}/${allowance}`
      })
      return [[seq, ...(isSnapshot ? ['all'] : []), ...listed].join(' ')]
    })
  const mine = (block: bigint) => {
    chain.head = block
    return tick()
  }
  const subscribe = (client: Client, tokens?: readonly Address[], id = 'a') =>
    client.say({ type: 'subscribe', id, channel: 'balances', account: owner, ...(tokens ? { tokens } : {}) })
  const tokensOf = (count: number, from = 0): Address[] =>
    Array.from({ length: count }, (_, i) => toHex(from + i, { size: 20 }))

  beforeEach(() => {
    chain.holdings = { [sold]: { balance: 5n, allowance: 0n }, [bought]: { balance: 1n, allowance: 2n } }
  })

  test('is sent at once and when it or the allowance changes, with one read of the node per block for all', async () => {
    const [client, other] = [connect(), connect()]
    subscribe(client, [sold, bought, sold])
    subscribe(other, [sold])
    await tick()
    expect(client.messages[0]).toEqual({ type: 'subscribed', id: 'a', seq: '0-0' })
    expect(balancesOf(client)).toEqual(['100-0 all sold 5/0 bought 1/2'])
    expect(balancesOf(other)).toEqual(['100-0 all sold 5/0'])
    chain.holdings[sold] = { balance: 5n, allowance: 9n }
    await tick()
    await mine(101n)
    chain.holdings[bought] = { balance: 3n, allowance: 2n }
    await mine(102n)
    await mine(103n)
    expect(balancesOf(client).slice(1)).toEqual(['101-0 sold 5/9', '102-0 bought 3/2'])
    expect(balancesOf(other).slice(1)).toEqual(['101-0 sold 5/9'])
    expect(nodeReads).toEqual(['2 at 100', '2 at 101', '2 at 102', '2 at 103'])
    client.say({ type: 'unsubscribe', id: 'a' })
    other.leave()
    await tick()
    expect([nodeReads.length, alarm]).toEqual([4, undefined])
  })

  test('of a new subscription is read in the same block without those that are known', async () => {
    const client = connect()
    subscribe(client, [sold])
    await tick()
    subscribe(client, [bought, sold], 'b')
    await tick()
    expect(balancesOf(client)).toEqual(['100-0 all sold 5/0', '100-0 all bought 1/2 sold 5/0'])
    expect(nodeReads).toEqual(['1 at 100', '1 at 100'])
  })

  test('without a list of tokens follows those of open orders, also when an order began or ended', async () => {
    const client = connect()
    subscribe(client)
    await tick()
    openTokens = [{ account: owner, token: sold }]
    await mine(101n)
    openTokens = [{ account: owner, token: bought }]
    chain.holdings[sold] = { balance: 0n, allowance: 0n }
    await mine(102n)
    openTokens = tokensOf(50).map((token) => ({ account: owner, token }))
    await mine(103n)
    const [all, first, second, ...rest] = balancesOf(client)
    expect([all, first, second]).toEqual(['100-0 all', '101-0 sold 5/0', '102-0 bought 1/2 sold 0/0'])
    expect(rest).toHaveLength(1)
    expect(nodeReads.at(-1)).toBe(`${balanceLimits.tokens} at 103`)
  })

  test('that the token does not return is null, and later the last known one', async () => {
    const client = connect()
    chain.holdings[bought] = { balance: undefined, allowance: undefined }
    subscribe(client, [sold, bought])
    await tick()
    chain.holdings[sold] = { balance: undefined, allowance: undefined }
    await mine(101n)
    expect(balancesOf(client)).toEqual(['100-0 all sold 5/0 bought null/null'])
  })

  test('that the node cannot return is one error, and follows later on the same connection', async () => {
    const client = connect()
    subscribe(client, [sold])
    follow(client, { ...order(one), id: 'order' })
    await tick()
    chain.isDown = true
    chain.holdings[sold] = { balance: 6n, allowance: 0n }
    for (let i = 0; i < 3; i++) await mine(101n)
    const late = connect()
    subscribe(late, [sold])
    write(one, 'created')
    await tick()
    expect(client.list('a')).toEqual(['subscribed', 'balances', 'error'])
    expect(client.list('order')).toEqual(['snapshot', 'created'])
    expect(late.list()).toEqual(['subscribed', 'error'])
    expect(late.last()).toMatchObject({ type: 'error', id: 'a', errorType: 'ServiceUnavailable' })
    chain.isDown = false
    await tick()
    expect(balancesOf(client)).toEqual(['100-0 all sold 5/0', '101-0 sold 6/0'])
    expect(balancesOf(late)).toEqual(['101-0 all sold 6/0'])
    expect(client.closed()).toBeUndefined()
  })

  test('delays no event while the node does not respond', async () => {
    const client = connect()
    const node = Promise.withResolvers<void>()
    nodeDelay = node.promise
    subscribe(client, [sold])
    follow(client, { ...order(one), id: 'order' })
    const ticks: Promise<void>[] = []
    const tickAndList = () => {
      ticks.push(tick())
      return client.list('order')
    }
    await expect.poll(tickAndList, { timeout: patienceMs }).toEqual(['snapshot'])
    write(one, 'created')
    await expect.poll(tickAndList, { timeout: patienceMs }).toEqual(['snapshot', 'created'])
    expect(balancesOf(client)).toEqual([])
    node.resolve()
    await Promise.all(ticks)
    expect(balancesOf(client)).toEqual(['100-0 all sold 5/0'])
  })

  test('waits for a client that does not read, and is the newest one then', async () => {
    const client = connect()
    const tokens = tokensOf(balanceLimits.tokens)
    for (let i = 0; i < 4; i++) subscribe(client, tokens, `${i}`)
    const most = 1.5 * socketLimits.unread.paused
    for (let i = 0n; i < 100n; i++) {
      for (const token of tokens) chain.holdings[token] = { balance: i + 2n ** 255n, allowance: i }
      await mine(101n + i)
    }
    const size = client.messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
    expect(size).toBeLessThan(most)
    expect(client.closed()).toMatchObject({ reason: 'no pong' })
  })

  test('is sent again as a whole after the memory or the connection was lost', async () => {
    const client = connect()
    subscribe(client, [sold])
    await tick()
    hibernate(client)
    await mine(101n)
    expect(balancesOf(client)).toEqual(['100-0 all sold 5/0', '101-0 all sold 5/0'])
    client.leave()
    const later = connect()
    later.say({ type: 'subscribe', id: 'a', channel: 'balances', account: owner, tokens: [sold], resume: '101-0' })
    await tick()
    expect(balancesOf(later)).toEqual(['101-0 all sold 5/0'])
  })

  const refusal = (limit: string, max: number) => ({ type: 'error', errorType: 'RateLimited', data: { limit, max } })

  test('of too many tokens of a client is refused, and the connection stays open', async () => {
    const { tokens, perClient } = balanceLimits
    const client = connect()
    for (let i = 0; i < perClient; i += tokens) subscribe(client, tokensOf(tokens, i), `${i}`)
    expect(client.list()).toHaveLength(perClient / tokens)
    subscribe(client, [sold], 'more')
    expect(client.last()).toMatchObject({ id: 'more', ...refusal('balancesPerClient', perClient) })
    subscribe(client, tokensOf(tokens + 1), 'long')
    expect(client.last()).toMatchObject({ id: 'long', errorType: 'InvalidParameter' })
    client.say({ type: 'unsubscribe', id: '0' })
    subscribe(client, [sold])
    await tick()
    expect(balancesOf(client)).toContain('100-0 all sold 5/0')
  })

  test('takes the place of the newest one of the client with most tokens when the feed is full, up to an equal share', async () => {
    const { tokens, perClient, perFeed } = balanceLimits
    const most = Array.from({ length: perFeed / perClient }, (_, i) => connect(`${i}`))
    for (const client of most) for (let i = 0; i < perClient / tokens; i++) subscribe(client, tokensOf(tokens), `${i}`)
    const late = connect('late')
    subscribe(late, undefined, 'first')
    expect(most.map((client) => client.last()?.type)).not.toContain('unsubscribed')
    subscribe(late, [sold], 'more')
    await tick()
    expect(balancesOf(late)).toContain('100-0 all sold 5/0')
    const [ended, other] = most
    expect(ended?.messages.filter(({ id }) => id === '3')).toMatchObject([
      { type: 'subscribed' },
      { id: '3', ...refusal('balancesPerFeed', perFeed) },
      { type: 'unsubscribed', id: '3' },
    ])
    expect(other?.list()).not.toContain('unsubscribed')
    if (ended) subscribe(ended, tokensOf(tokens), 'again')
    expect(ended?.last()).toMatchObject({ id: 'again', ...refusal('balancesPerFeed', perFeed) })
    const crowd = Array.from({ length: perFeed / tokens }, (_, i) => connect(`crowd ${i}`))
    for (const client of crowd) subscribe(client, undefined)
    expect(crowd.filter((client) => client.list()[0] === 'error')).toHaveLength(most.length + 1)
    for (const client of [...most, late]) subscribe(client, undefined, 'again')
    const haveOne = [...most, late].map(({ messages }) => messages.filter(({ type }) => type === 'unsubscribed').length)
    expect(haveOne).toEqual([...most.map(() => perClient / tokens - 1), 1])
  })

  test('fits beside full subscriptions into the attachment of a connection', async () => {
    const client = connect('0123:4567:89ab:cdef::/64')
    const { tokens, perClient } = balanceLimits
    const held = perClient / tokens
    for (let i = 0; i < socketLimits.subscriptionsPerConnection; i++) {
      const id = `${i}`.padStart(32, 'x')
      if (i < held) subscribe(client, tokensOf(tokens, i * tokens), id)
      else client.say({ type: 'subscribe', id, ...order(uidOf((i % 10).toString())) })
    }
    await tick()
    expect(client.messages.filter(({ type }) => type === 'subscribed')).toHaveLength(50)
  })
})

describe('hibernation', () => {
  test('loses no event and repeats none', async () => {
    write(one, 'created')
    const [client, other] = [connect(), connect()]
    follow(client, order(one))
    follow(other, { channel: 'account', account: owner })
    await tick()
    write(one, 'ready')
    await tick()
    write(one, 'executing')
    hibernate(client, other)
    await tick()
    write(one, 'traded')
    await tick()
    for (const { list } of [client, other]) expect(list()).toEqual(['snapshot created', 'ready', 'executing', 'traded'])
  })

  test('leaves a subscription without an opening waiting for it', async () => {
    write(one, 'created')
    const [fresh, resumed] = [connect(), connect()]
    follow(fresh, order(one))
    follow(resumed, { ...order(one), resume: '1-1' })
    hibernate(fresh, resumed)
    await tick()
    expect(fresh.list()).toEqual(['snapshot created'])
    expect(resumed.list()).toEqual(['subscribed', 'created'])
  })

  test('of a quiet connection continues from the last ping', async () => {
    const client = connect()
    follow(client, order(one))
    await tick()
    for (let i = 0; i < 8; i++) write(two, 'ready')
    const started = now
    while (now - started < 16_000) await tick()
    const { seq } = client.last() as Message
    expect(client.last()).toMatchObject({ type: 'ping', seq: '108-0' })
    expect(client.socket.deserializeAttachment()).toMatchObject({ subscriptions: [{ at: seq }] })
  })

  test('fits full connections into their attachments', async () => {
    const client = connect('0123:4567:89ab:cdef::/64')
    for (let i = 0; i < socketLimits.subscriptionsPerConnection; i++)
      client.say({ type: 'subscribe', id: `${i}`.padStart(32, 'x'), ...order(uidOf((i % 10).toString())) })
    await tick()
    expect(client.list()).toHaveLength(socketLimits.subscriptionsPerConnection)
  })
})

describe('a connection', () => {
  test('without a pong for 30 seconds is closed', async () => {
    const client = connect()
    follow(client, order(one))
    const started = now
    while (now - started < 40_000) await tick()
    expect(client.messages.filter(({ type }) => type === 'ping')).toHaveLength(1)
    const { id } = client.last() as Message
    client.say({ type: 'pong', id: 'another' })
    client.say({ type: 'pong', id })
    while (now - started < 70_000) await tick()
    expect(client.closed()).toBeUndefined()
    while (now - started < 80_000) await tick()
    expect(client.closed()).toEqual({ code: 1008, reason: 'no pong' })
    expect(alarm).toBeUndefined()
  })

  test('whose client reads nothing gets a bounded amount', async () => {
    const [idle, reader] = [connect(), connect()]
    const deaf = () => idle.frames.length
    for (let i = 0; i < 49; i++) idle.say({ type: 'subscribe', id: `${i}`, channel: 'account', account: owner })
    follow(reader, { channel: 'account', account: owner })
    for (let i = 0; i < 60 && !idle.closed(); i++) {
      for (let j = 0; j < 3; j++) write(one, 'ready', null, false, { long: 'x'.repeat(10_000) })
      await tick()
      for (const { type, id } of reader.messages.splice(0)) if (type === 'ping') reader.say({ type: 'pong', id })
    }
    expect(idle.closed()).toEqual({ code: 1013, reason: 'the client reads too slowly' })
    expect(reader.closed()).toBeUndefined()
    const size = idle.frames.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
    expect(size).toBeLessThan(socketLimits.unread.closed + socketLimits.eventsLength)
    const count = deaf()
    write(one, 'ready')
    await tick()
    expect(deaf()).toBe(count)
  })

  test('waits with further openings until its client has read, and then continues', async () => {
    for (let i = 0; i < 200; i++) write(one, 'ready')
    const client = connect()
    for (let i = 0; i < 10; i++) client.say({ type: 'subscribe', id: `${i}`, channel: 'account', account: owner })
    const opened = () => client.messages.filter(({ type }) => type === 'subscribed').length
    for (let i = 0; i < 20 && opened() < 10; i++) {
      await tick()
      expect(client.closed()).toBeUndefined()
      const { type, id } = client.last() as Message
      if (type === 'ping') client.say({ type: 'pong', id })
    }
    expect(opened()).toBe(10)
  })

  test('gets one error while the log cannot be read, and then the missed events', async () => {
    const client = connect()
    follow(client, order(one))
    await tick()
    isDown = true
    write(one, 'created')
    await tick()
    await tick()
    expect(client.last()).toMatchObject({ type: 'error', errorType: 'ServiceUnavailable' })
    const late = connect()
    follow(late, order(two))
    expect(late.list()).toEqual(['error'])
    isDown = false
    await tick()
    expect(client.list()).toEqual(['snapshot', 'error', 'created'])
  })
})

describe('a message', () => {
  test.each<[string, unknown, string, object]>([
    ['is not JSON', '{', 'InvalidParameter', { field: 'body' }],
    ['is binary', new ArrayBuffer(2), 'InvalidParameter', { field: 'body' }],
    ['has an unknown type', { type: 'sub', id: 'a' }, 'InvalidParameter', { field: 'type' }],
    ['has an unknown channel', { type: 'subscribe', id: 'a', channel: 'x' }, 'InvalidParameter', { field: 'channel' }],
    ['has no id', { type: 'subscribe', ...order(one) }, 'InvalidParameter', { field: 'id' }],
    ['has a malformed UID', { type: 'subscribe', id: 'a', ...order('0x12') }, 'InvalidParameter', { field: 'uid' }],
    ['has a malformed seq', { type: 'subscribe', id: 'a', ...order(one), resume: 'x' }, 'InvalidParameter', {}],
    [
      'has an unknown field',
      { type: 'subscribe', id: 'a', ...order(one), since: 1 },
      'InvalidParameter',
      { field: 'since' },
    ],
    ['ends no subscription', { type: 'unsubscribe', id: 'a' }, 'NotFound', {}],
  ])('that %s gets an error, and the connection stays open', (_, message, errorType, data) => {
    const client = connect()
    client.sayText(typeof message === 'string' || message instanceof ArrayBuffer ? message : JSON.stringify(message))
    expect(client.last()).toMatchObject({ type: 'error', errorType, ...(Object.keys(data).length > 0 ? { data } : {}) })
    expect(client.last()?.id).toBe(JSON.stringify(message).includes('"id":"a"') ? 'a' : undefined)
    follow(client, order(one))
    expect(client.messages).toHaveLength(1)
    expect(client.closed()).toBeUndefined()
  })

  test('with the id of another subscription is a conflict', () => {
    const client = connect()
    follow(client, order(one))
    follow(client, order(two))
    expect(client.last()).toMatchObject({ type: 'error', id: 'a', errorType: 'Conflict' })
  })

  test('for one subscription too many is refused', () => {
    const client = connect()
    const max = socketLimits.subscriptionsPerConnection
    for (let i = 0; i <= max; i++) client.say({ type: 'subscribe', id: `${i}`, ...order(one) })
    expect(client.last()).toMatchObject({
      ...{ type: 'error', id: `${max}`, errorType: 'RateLimited' },
      data: { limit: 'subscriptionsPerConnection', max },
    })
  })

  test('that is too long closes the connection', () => {
    const client = connect()
    client.sayText(' '.repeat(socketLimits.messageLength + 1))
    expect(client.last()).toMatchObject({ type: 'error', errorType: 'PayloadTooLarge' })
    expect(client.closed()?.code).toBe(1009)
  })

  test('beyond the quota of its client is refused on all its connections, until the next window', async () => {
    const quota = { requests: 3, seconds: 10 }
    const [client, again] = [connect('client', quota), connect('client', quota)]
    const subscribe = (id: string) => ({ type: 'subscribe', id, channel: 'order', uid: one })
    const toRefusal = (id: string) =>
      expect.objectContaining({
        ...{ type: 'error', id, errorType: 'RateLimited', description: 'more than 3 requests in 10 seconds' },
        data: { limit: 'reads', ...quota },
      })
    client.say(subscribe('a'))
    client.say({ type: 'unsubscribe', id: 'a' })
    client.say({ type: 'ping' })
    again.say(subscribe('a'))
    client.say(subscribe('b'))
    again.say({ type: 'unsubscribe', id: 'a' })
    expect(client.messages.at(-1)).toEqual(toRefusal('b'))
    expect(again.messages.at(-1)).toEqual(toRefusal('a'))
    const other = connect('other', quota)
    other.say(subscribe('b'))
    expect(other.messages).toEqual([])
    // the memory is lost, the quota is not
    feed = createFeed()
    feed.sockets.restore([client.socket])
    for (const id of ['c', 'd', 'e', 'f']) client.say(subscribe(id))
    expect(client.messages.at(-1)).toEqual(toRefusal('f'))
    now += 10_000
    client.say(subscribe('f'))
    await tick()
    expect(client.list('f')).toContainEqual(expect.stringMatching(/^snapshot/))
    expect(client.closed()).toBeUndefined()
  })

  test('beyond the rate closes the connection', () => {
    const { burst, perSecond } = socketLimits.messages
    const client = connect()
    const ping = (count: number) => {
      for (let i = 0; i < count; i++) client.say({ type: 'ping' })
    }
    ping(burst)
    now += 1_000
    ping(perSecond)
    expect(client.closed()).toBeUndefined()
    expect(client.last()).toEqual({ type: 'pong' })
    ping(1)
    expect(client.last()).toMatchObject({ type: 'error', errorType: 'RateLimited' })
    expect(client.closed()?.code).toBe(1008)
  })
})
