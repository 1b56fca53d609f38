import type { Address } from 'viem'
import { z } from 'zod'
import type { LogPosition } from '#schema/queries/events/logPage.ts'
import type { LogTopic } from '#schema/queries/events/logTopic.ts'
import { orderBookFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { describeExcess, type Quota } from '#shared/http/quota.ts'
import { fromSchemaError } from '#shared/http/toApiError.ts'
import type { Listener, LogReader } from '../createLogReader.ts'
import { isAfter, readEventId, toEventId } from '../eventId.ts'
import type { SentEvent } from '../sentEvent.ts'
import { type BalanceListener, type BalanceReader, balanceLimits, tooMany } from './createBalanceReader.ts'
import type { PriceListener, PriceReader } from './createPriceReader.ts'
import { maxSilenceMs, pingMs, socketLimits } from './socketLimits.ts'
import { clientMessageSchema, idSchema, type ServerMessage, type Subscribe } from './socketMessages.ts'

/** The parts of a WebSocket of a Durable Object that are used. */
export type Socket = {
  send: (text: string) => void
  close: (code: number, reason: string) => void
  /** survives hibernation; at most 16 KiB */
  serializeAttachment: (value: unknown) => void
  deserializeAttachment: () => unknown
}

export type SocketsDeps = {
  reader: Pick<LogReader, 'add' | 'remove' | 'findSentPosition'>
  prices: Pick<PriceReader, 'add' | 'remove'>
  balances: Pick<BalanceReader, 'makeRoom' | 'add' | 'remove'>
  now: () => number
  /** reads at once, and from then on regularly */
  wake: () => void
  /** stops reading if there is no listener left */
  rest: () => void
  /** the log cannot be read now */
  isFailing: () => boolean
}

export type Sockets = {
  /**
   * @param client key under which the connections and messages of a client are counted
   * @param quota of subscriptions that the client begins and ends, over all its connections; undefined: unlimited
   */
  accept: (socket: Socket, client: string, quota?: Quota) => void
  /** Connections from before a hibernation, with their subscriptions. */
  restore: (sockets: readonly Socket[]) => void
  receive: (socket: Socket, message: string | ArrayBuffer) => void
  leave: (socket: Socket) => void
  haveSubscriptions: () => boolean
  /** sends pings, and closes connections without pongs; called every few seconds at least */
  attend: () => void
  /** reports that the log cannot be read */
  fail: () => void
  /** writes changed subscriptions and positions to the attachments */
  save: () => void
}

/** A subscription as it is saved. */
type SavedSubscription = {
  topic: LogTopic
  /** position from which to continue; undefined: with a snapshot */
  at: string | undefined
  /** its client has received `subscribed` */
  isOpened: boolean
}

/** A subscription to a price as it is saved; `at`: auction up to which it was sent. */
type SavedPrice = { token: Address; at: number | undefined }

/** A subscription to balances as it is saved: its client gets all of them again. */
type SavedBalances = Pick<BalanceListener, 'account' | 'tokens'>

/** An attachment. */
type Saved = {
  client: string
  quota: Quota | undefined
  subscriptions: (SavedSubscription & { id: string })[]
  prices: (SavedPrice & { id: string })[]
  /** undefined: written by an earlier release */
  balances?: (SavedBalances & { id: string })[]
}

type Subscription = Listener & Pick<SavedSubscription, 'isOpened'>

type Connection = {
  socket: Socket
  client: string
  quota: Quota | undefined
  subscriptions: Map<string, Subscription>
  /** subscriptions to prices */
  prices: Map<string, PriceListener>
  /** subscriptions to balances */
  balances: Map<string, BalanceListener>
  /** events of its next message, each with its subscriptions, and their characters */
  pending: { events: { event: SentEvent; ids: string[] }[]; length: number }
  /** messages that it may send now, at the time `at` */
  budget: { messages: number; at: number }
  /** characters: all that were sent, and those before the last confirmed ping */
  sent: number
  confirmed: number
  ping: { id: string; at: number; sent: number } | undefined
  pingedAt: number
  isChanged: boolean
}

/** Close codes: RFC 6455, 7.4.1, and the IANA registry. */
const closeCodes = { policy: 1008, tooBig: 1009, tryAgain: 1013 } as const

const unavailable = { type: 'error', errorType: 'ServiceUnavailable' } as const
const failure: ServerMessage = {
  ...unavailable,
  description: 'the event log cannot be read now; missed events will follow',
}
const balanceFailure = { ...unavailable, description: 'balances cannot be read now; they will follow' }

/**
 * The protocol of the WebSockets of one feed. What a client would miss by a loss of this memory is in the attachment of its
 * socket: its subscriptions, and up to where each was sent.
 */
export const createSockets = (deps: SocketsDeps): Sockets => {
  const { reader, prices, balances, now, wake, rest, isFailing } = deps
  const connections = new Map<Socket, Connection>()
  /** what each client has used of its quota until a time, Unix milliseconds */
  const windows = new Map<string, { used: number; until: number }>()

  const connect = (socket: Socket, client: string, quota: Quota | undefined): Connection => {
    const connection: Connection = {
      ...{ socket, client, quota, subscriptions: new Map(), prices: new Map(), balances: new Map() },
      ...{ pending: { events: [], length: 0 }, isChanged: true, sent: 0, confirmed: 0, ping: undefined },
      ...{ budget: { messages: socketLimits.messages.burst, at: now() }, pingedAt: now() },
    }
    connections.set(socket, connection)
    return connection
  }

  const leave = (socket: Socket): void => {
    const connection = connections.get(socket)
    if (!connection) return
    connections.delete(socket)
    for (const listener of connection.subscriptions.values()) reader.remove(listener)
    for (const listener of connection.prices.values()) prices.remove(listener)
    for (const listener of connection.balances.values()) balances.remove(listener)
    rest()
  }

  const close = ({ socket }: Connection, code: number, reason: string): void => {
    leave(socket)
    try {
      socket.close(code, reason)
    } catch {
      // it is closed
    }
  }

  /**
   * A message per event and subscription costs both ends ten times as much as one with all events of a read: it is sent when
   * the turn that published them ends, before any other message, and when it is long enough.
   */
  const queueEvent = (connection: Connection, id: string, event: SentEvent): void => {
    connection.isChanged = true
    const last = connection.pending.events.at(-1)
    if (last?.event === event) {
      last.ids.push(id)
      return
    }
    if (connection.pending.length >= socketLimits.eventsLength) flush(connection)
    const { pending } = connection
    if (pending.events.length === 0) queueMicrotask(() => flush(connection))
    pending.events.push({ event, ids: [id] })
    pending.length += event.toJson().length
  }

  const flush = (connection: Connection): void => {
    const { events } = connection.pending
    if (events.length === 0) return
    connection.pending = { events: [], length: 0 }
    const listed = events.map(
      ({ event, ids }) =>
        `{"type":"${event.kind}","ids":${JSON.stringify(ids)},"seq":"${event.id}","data":${event.toJson()}}`,
    )
    write(connection, `{"type":"events","events":[${listed.join()}]}`)
  }

  const write = (connection: Connection, text: string): void => {
    flush(connection)
    if (!connections.has(connection.socket)) return
    try {
      connection.socket.send(text)
    } catch {
      leave(connection.socket)
    }
    connection.sent += text.length
    const unread = connection.sent - connection.confirmed
    if (unread > socketLimits.unread.closed) close(connection, closeCodes.tryAgain, 'the client reads too slowly')
    else if (unread > socketLimits.unread.paused) sendPing(connection)
  }
  const sendMessage = (connection: Connection, message: ServerMessage): void =>
    write(connection, JSON.stringify(message))

  const refuse = (connection: Connection, error: ApiError, id?: string): void =>
    write(connection, JSON.stringify({ type: 'error', ...(id === undefined ? {} : { id }), ...orderBookFormat(error) }))

  /** At most one waits for its pong; the id cannot be guessed by a client that does not read. */
  const sendPing = (connection: Connection): void => {
    if (connection.ping) return
    const id = crypto.randomUUID()
    const seq = findCompletePosition(connection)
    connection.pingedAt = now()
    connection.ping = { id, at: now(), sent: connection.sent }
    connection.isChanged = true
    sendMessage(connection, { type: 'ping', id, ...(seq ? { seq: toEventId(seq) } : {}) })
  }

  /** Position up to which all subscriptions were sent; undefined while one waits for its opening. */
  const findCompletePosition = ({ subscriptions }: Connection): LogPosition | undefined => {
    const all = [...subscriptions.values()]
    if (all.some(({ isLive }) => !isLive)) return undefined
    const positions = all.flatMap((listener) => reader.findSentPosition(listener) ?? [])
    return positions.reduce<LogPosition | undefined>(
      (least, at) => (least && isAfter(at, least) ? least : at),
      undefined,
    )
  }

  const receivePong = (connection: Connection, id: string): void => {
    const { ping } = connection
    if (ping?.id !== id) return
    connection.confirmed = ping.sent
    connection.ping = undefined
    if ([...connection.subscriptions.values()].some(({ isLive }) => !isLive)) wake()
  }

  const add = (connection: Connection, id: string, { topic, at, isOpened }: SavedSubscription): void => {
    const name = JSON.stringify(id)
    const position = at === undefined ? undefined : readEventId(at)
    const sendEvent: Listener['send'] = (event) => queueEvent(connection, id, event)
    const listener: Subscription = {
      ...{ topic, client: connection.client, position, isLost: false, opensWith: 'snapshot', isLive: false, isOpened },
      isReady: () => isReady(connection),
      open: ({ events, isComplete, isResumed, horizon }) => {
        connection.isChanged = true
        const seq = toEventId(isResumed && position ? position : horizon)
        const begin = `{"type":"subscribed","id":${name},"seq":"${seq}"`
        const isFirst = !listener.isOpened
        listener.isOpened = true
        if (!isResumed) {
          const listOf = (wanted: SentEvent['kind']) =>
            `[${events.flatMap((event) => (event.kind === wanted ? [event.toJson()] : [])).join()}]`
          const others = 'account' in topic || 'conditional' in topic
          const conditional = others ? `,"conditionalOrders":${listOf('conditional_order')}` : ''
          write(connection, `${begin},"isComplete":${isComplete},"snapshot":${listOf('order')}${conditional}}`)
        } else {
          if (isFirst) write(connection, `${begin}}`)
          for (const event of events) sendEvent(event)
        }
      },
      send: sendEvent,
    }
    connection.subscriptions.set(id, listener)
    connection.isChanged = true
    reader.add(listener)
    wake()
  }

  const addPrice = (connection: Connection, id: string, { token, at }: SavedPrice): void => {
    const listener: PriceListener = {
      token,
      auctionId: at,
      isReady: () => isReady(connection),
      send: (data) => {
        connection.isChanged = true
        sendMessage(connection, { type: 'price', id, seq: toPriceSeq(data.auctionId), data })
      },
    }
    connection.prices.set(id, listener)
    connection.isChanged = true
    prices.add(listener)
    wake()
  }

  const addBalances = (connection: Connection, id: string, { account, tokens }: SavedBalances): void => {
    const listener: BalanceListener = {
      account,
      tokens,
      client: connection.client,
      isReady: () => isReady(connection),
      send: ({ block, ...data }) =>
        sendMessage(connection, { type: 'balances', id, seq: `${block}-0`, data: { ...data, block } }),
      fail: () => sendMessage(connection, { ...balanceFailure, id }),
      end: () => {
        connection.balances.delete(id)
        connection.isChanged = true
        refuse(connection, madeRoom, id)
        sendMessage(connection, { type: 'unsubscribed', id })
      },
    }
    connection.balances.set(id, listener)
    connection.isChanged = true
    balances.add(listener)
    wake()
  }

  const subscribe = (connection: Connection, message: Subscribe): void => {
    const { id, resume: at } = message
    const max = socketLimits.subscriptionsPerConnection
    if (listSubscriptions(connection).some((map) => map.has(id)))
      throw new ApiError('Conflict', { data: { field: 'id', got: id } })
    if (countSubscriptions(connection) >= max) {
      const description = `more than ${max} subscriptions of one connection`
      throw new ApiError('RateLimited', { description, data: { limit: 'subscriptionsPerConnection', max } })
    }
    if (message.channel === 'price') {
      sendMessage(connection, { type: 'subscribed', id, seq: at ?? toPriceSeq(0) })
      addPrice(connection, id, { token: message.token, at: at === undefined ? undefined : Number.parseInt(at, 10) })
    } else if (message.channel === 'balances') {
      const { account } = message
      const tokens = message.tokens && [...new Set(message.tokens)]
      balances.makeRoom({ client: connection.client, tokens })
      sendMessage(connection, { type: 'subscribed', id, seq: at ?? toPriceSeq(0) })
      addBalances(connection, id, { account, tokens })
    } else add(connection, id, { topic: toTopic(message), at, isOpened: false })
    if (isFailing()) sendMessage(connection, failure)
  }

  const unsubscribe = (connection: Connection, id: string): void => {
    const listener = connection.subscriptions.get(id)
    const price = connection.prices.get(id)
    const held = connection.balances.get(id)
    if (!(listener || price || held)) throw new ApiError('NotFound', { description: 'no such subscription' })
    for (const map of listSubscriptions(connection)) map.delete(id)
    connection.isChanged = true
    if (listener) reader.remove(listener)
    if (price) prices.remove(price)
    if (held) balances.remove(held)
    sendMessage(connection, { type: 'unsubscribed', id })
    rest()
  }

  const spend = ({ budget }: Connection): boolean => {
    const { burst, perSecond } = socketLimits.messages
    budget.messages = Math.min(burst, budget.messages + ((now() - budget.at) / 1_000) * perSecond)
    budget.at = now()
    if (budget.messages < 1) return false
    budget.messages -= 1
    return true
  }

  /** @throws ApiError `RateLimited` */
  const useQuota = ({ client, quota }: Connection): void => {
    if (!quota) return
    const known = windows.get(client)
    const window = known && now() < known.until ? known : { used: 0, until: now() + quota.seconds * 1_000 }
    windows.set(client, window)
    if (window.used >= quota.requests) throw new ApiError('RateLimited', describeExcess('reads', quota))
    window.used += 1
  }

  const handle = (connection: Connection, json: unknown): void => {
    const { success, data, error } = clientMessageSchema.safeParse(json)
    if (!success) throw fromSchemaError(error, json)
    if (data.type === 'subscribe' || data.type === 'unsubscribe') useQuota(connection)
    if (data.type === 'subscribe') subscribe(connection, data)
    else if (data.type === 'unsubscribe') unsubscribe(connection, data.id)
    else if (data.type === 'ping') sendMessage(connection, { type: 'pong' })
    else receivePong(connection, data.id)
  }

  const receive = (connection: Connection, message: string | ArrayBuffer): void => {
    let id: string | undefined
    try {
      if (!spend(connection)) throw tooManyMessages
      const json = readJson(message)
      id = findId(json)
      handle(connection, json)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refuse(connection, error, id)
      const code = closing.get(error)
      if (code !== undefined) close(connection, code, error.message)
    }
  }

  const save = (connection: Connection): void => {
    const { client, quota, subscriptions } = connection
    connection.isChanged = false
    const saved: Saved = {
      client,
      quota,
      subscriptions: [...subscriptions].map(([id, listener]) => {
        const at = reader.findSentPosition(listener)
        return { id, topic: listener.topic, at: at && toEventId(at), isOpened: listener.isOpened }
      }),
      prices: [...connection.prices].map(([id, { token, auctionId: at }]) => ({ id, token, at })),
      balances: [...connection.balances].map(([id, { account, tokens }]) => ({ id, account, tokens })),
    }
    connection.socket.serializeAttachment(saved)
  }

  const listSubscribed = () => [...connections.values()].filter((connection) => countSubscriptions(connection) > 0)

  return {
    accept: (socket, client, quota) => save(connect(socket, client, quota)),
    restore: (sockets) => {
      for (const socket of sockets) {
        const saved = socket.deserializeAttachment() as Saved
        const connection = connect(socket, saved.client, saved.quota)
        for (const { id, ...subscription } of saved.subscriptions) add(connection, id, subscription)
        for (const { id, ...price } of saved.prices) addPrice(connection, id, price)
        for (const { id, ...held } of saved.balances ?? []) addBalances(connection, id, held)
      }
    },
    receive: (socket, message) => {
      const connection = connections.get(socket)
      if (!connection) return
      receive(connection, message)
      if (connection.isChanged && connections.has(socket)) save(connection)
    },
    leave,
    haveSubscriptions: () => listSubscribed().length > 0,
    attend: () => {
      for (const [client, { until }] of windows) if (until <= now()) windows.delete(client)
      for (const connection of listSubscribed()) {
        const { ping, pingedAt } = connection
        if (ping && now() - ping.at > maxSilenceMs) close(connection, closeCodes.policy, 'no pong')
        else if (now() - pingedAt >= pingMs) sendPing(connection)
      }
    },
    fail: () => {
      for (const connection of listSubscribed()) sendMessage(connection, failure)
    },
    save: () => {
      for (const connection of connections.values()) if (connection.isChanged) save(connection)
    },
  }
}

const listSubscriptions = ({ subscriptions, prices, balances }: Connection) => [subscriptions, prices, balances]

const countSubscriptions = (connection: Connection): number =>
  listSubscriptions(connection).reduce((sum, { size }) => sum + size, 0)

/** Whether a client has read enough to get further openings, prices and balances. */
const isReady = ({ sent, confirmed }: Connection): boolean => sent - confirmed <= socketLimits.unread.paused

/** `seq` of a price: the auction, in the form of a position in the log. */
const toPriceSeq = (auctionId: number): string => `${auctionId}-0`

const { messages, messageLength } = socketLimits
const tooManyMessages = new ApiError('RateLimited', {
  description: `more than ${messages.perSecond} messages per second`,
  data: { limit: 'messages', ...messages },
})
const tooLongMessage = new ApiError('PayloadTooLarge', {
  description: `more than ${messageLength} characters`,
  data: { maxLength: messageLength },
})
const madeRoom = tooMany('balancesPerFeed', balanceLimits.perFeed)
const notJson = new ApiError('InvalidParameter', { description: 'a message is JSON text', data: { field: 'body' } })

/** Errors that end the connection, with their close codes. */
const closing = new Map([
  [tooManyMessages, closeCodes.policy],
  [tooLongMessage, closeCodes.tooBig],
])

/** @throws ApiError `PayloadTooLarge`, `InvalidParameter` */
const readJson = (message: string | ArrayBuffer): unknown => {
  if (typeof message !== 'string') throw notJson
  if (message.length > messageLength) throw tooLongMessage
  try {
    return JSON.parse(message)
  } catch {
    throw notJson
  }
}

/** The id in a malformed message, if it can be repeated. */
const findId = (json: unknown): string | undefined => z.object({ id: idSchema }).safeParse(json).data?.id

const toTopic = (message: Exclude<Subscribe, { channel: 'price' | 'balances' }>): LogTopic => {
  if (message.channel === 'order') return { orderUid: message.uid }
  if (message.channel === 'account') return { account: message.account }
  if (message.channel === 'conditional_orders') return { conditional: message.owner }
  if (message.channel === 'pair') return { pair: splitPair(message.pair) }
  if (message.channel === 'auctions') return { auctions: 'all' }
  return { trades: message.pair === undefined ? 'all' : splitPair(message.pair) }
}

const splitPair = (text: string): readonly [Address, Address] => text.toLowerCase().split('-') as [Address, Address]
