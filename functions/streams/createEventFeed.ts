import type { AuctionPrices } from '#schema/queries/auctions/selectAuctionPrices.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { type Connected, createHub } from '#shared/streams/createHub.ts'
import { encodeEvent } from '#shared/streams/serverSentEvent.ts'
import type { OrderStreamRefusal, StreamTopic } from './answerWithStream.ts'
import { createLogReader, type Listener, type LogReaderDeps, type Opening } from './createLogReader.ts'
import { readEventId, toEventId } from './eventId.ts'
import { type BalanceReaderDeps, createBalanceReader } from './sockets/createBalanceReader.ts'
import { createPriceReader } from './sockets/createPriceReader.ts'
import { createSockets, type Sockets } from './sockets/createSockets.ts'

export type FeedDeps = LogReaderDeps & {
  /** see `createPriceReader` */
  findPrices: (known: number | undefined) => Promise<AuctionPrices | undefined>
  /** see `createBalanceReader` */
  balances: Pick<BalanceReaderDeps, 'findHead' | 'findHoldings' | 'findOpenTokens' | 'pollMs'>
  limits: {
    streamsPerTopic: number
    /** lifetime of one stream, milliseconds */
    lifetimeMs: number
    /** interval between polls of the log */
    pollMs: number
  }
  /** schedules the next `tick`, Unix milliseconds, replacing any other; undefined: none */
  setAlarm: (at: number | undefined) => void
  /** from 0 to 1 */
  random: () => number
  log: (entry: JsonObject) => void
}

export type EventJoinRequest = {
  topic: StreamTopic
  client: string
  lastEventId: string | undefined
  /** called once when the stream ends, for any reason */
  leave: () => void
}

export type EventStreams = {
  join: (request: EventJoinRequest) => ReadableStream<Uint8Array> | OrderStreamRefusal
  sockets: Sockets
  /** resolves when the reads that it started are published; never rejects */
  tick: () => Promise<void>
}

/** Twice the usual size of a full replay. */
const maxBufferedBytes = 1024 * 1024

const failure = { message: 'the event log cannot be read now; missed events will follow' }
const omission = { message: 'too many missed events to replay; reload your orders' }

/**
 * Sends the log events of one network to the listeners of their topics, by streams and by WebSockets. It runs only on its
 * alarm, which is set while there are listeners: once per `pollMs` the reader reads for all of them. Its state may be lost
 * at any time: the position of a stream's client is in the ids that it received, that of a WebSocket in its attachment.
 */
export const createEventFeed = (deps: FeedDeps): EventStreams => {
  const { limits, now } = deps
  const reader = createLogReader(deps)
  const prices = createPriceReader(deps.findPrices)
  const balances = createBalanceReader({ ...deps.balances, now, log: deps.log })
  const listeners = new Map<Connected<object>, Listener>()
  let isFailing = false

  const refresh = async (): Promise<void> => {
    try {
      const hasMore = await reader.read()
      await prices.read()
      isFailing = false
      if (hasMore) hub.arm(now())
    } catch (error) {
      if (isFailing) return
      isFailing = true
      deps.log({ message: 'the order log cannot be read', cause: describeError(error) })
      for (const [{ stream }, listener] of listeners) stream.write(encodeFailure(listener))
      sockets.fail()
    } finally {
      sockets.save()
    }
  }

  const toId = (listener: Listener): string | undefined => {
    const at = reader.findSentPosition(listener)
    return at && toEventId(at)
  }
  const encodeFailure = (listener: Listener): Uint8Array =>
    encodeEvent({ id: toId(listener), event: 'error', data: failure })

  const hub = createHub<object>({
    ...deps,
    ...limits,
    maxBufferedBytes,
    sendPing: (connected) => {
      const listener = listeners.get(connected)
      if (listener) connected.stream.write(encodeEvent({ id: toId(listener), event: 'ping', data: {} }))
    },
    onLeave: (connected) => {
      const listener = listeners.get(connected)
      if (listener) reader.remove(listener)
      listeners.delete(connected)
    },
    refresh,
    others: { areThere: () => sockets.haveSubscriptions(), attend: () => sockets.attend() },
  })
  const sockets = createSockets({
    reader,
    prices,
    balances,
    now,
    wake: () => hub.arm(now()),
    rest: hub.rest,
    isFailing: () => isFailing,
  })

  return {
    join: ({ topic, client, lastEventId, leave }) => {
      const { streamsPerTopic: max } = limits
      if (reader.countOfTopic(topic) >= max) return { limit: 'streamsPerTopic', max }
      const position = lastEventId === undefined ? undefined : readEventId(lastEventId)
      const connected = hub.connect({}, leave)
      const { stream } = connected
      const isLost = lastEventId !== undefined && position === undefined
      const listener: Listener = {
        ...{ topic, client, position, isLost, opensWith: 'stream', isLive: false },
        open: (opening) => {
          for (const bytes of encodeOpening(listener, opening)) stream.write(bytes)
        },
        send: (event) => stream.write(event.toBytes()),
      }
      listeners.set(connected, listener)
      reader.add(listener)
      if (isFailing) stream.write(encodeFailure(listener))
      hub.arm(now())
      return stream.body
    },
    sockets,
    tick: async () => {
      // a slow node must not delay the log
      await Promise.all([hub.tick(), balances.read()])
    },
  }
}

const encodeOpening = ({ topic, position }: Listener, { events, isComplete, horizon }: Opening): Uint8Array[] => {
  const first = () => {
    const at = events.length > 0 ? position : horizon
    if (!isComplete) return [encodeEvent({ id: at && toEventId(at), event: 'reset', data: omission })]
    if ('account' in topic && !position) return [encodeEvent({ id: toEventId(horizon), event: 'position', data: {} })]
    return []
  }
  return [...first(), ...events.map((event) => event.toBytes())]
}
