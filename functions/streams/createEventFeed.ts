import type { LoggedEvent, LogPosition } from '#schema/queries/events/logPage.ts'
import type { LogTopic, MissedEvents } from '#schema/queries/events/selectMissedOrderEvents.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { type Connected, createHub } from '#shared/streams/createHub.ts'
import { encodeEvent } from '#shared/streams/serverSentEvent.ts'
import type { OrderStreamRefusal } from './answerWithStream.ts'
import { isAfter, readEventId, toEventId } from './eventId.ts'
import { toOrderEvent } from './orderEventResponse.ts'
import { toTopicKey } from './toTopicKey.ts'

export type FeedDeps = {
  limits: {
    streamsPerTopic: number
    /** lifetime of one stream, milliseconds */
    lifetimeMs: number
    /** interval between polls of the log */
    pollMs: number
  }
  /** the position of the end of the log; like the next two, rejects when the database fails */
  findHorizon: () => Promise<LogPosition>
  /** see `selectNewOrderEvents` */
  findNew: (after: LogPosition) => Promise<{ events: LoggedEvent[]; position: LogPosition; isLast: boolean }>
  /** see `selectMissedOrderEvents` */
  findMissed: (topic: LogTopic, after: LogPosition | undefined) => Promise<MissedEvents>
  /** schedules the next `tick`, Unix milliseconds, replacing any other; undefined: none */
  setAlarm: (at: number | undefined) => void
  now: () => number
  /** from 0 to 1 */
  random: () => number
  log: (entry: JsonObject) => void
}

export type EventJoinRequest = {
  topic: LogTopic
  lastEventId: string | undefined
  /** called once when the stream ends, for any reason */
  leave: () => void
}

export type EventStreams = {
  join: (request: EventJoinRequest) => ReadableStream<Uint8Array> | OrderStreamRefusal
  /** resolves when the reads that it started are published; never rejects */
  tick: () => Promise<void>
}

type Listener = Connected<ListenerState>

type ListenerState = {
  topic: LogTopic
  /** position up to which events were sent; undefined: none yet */
  position: LogPosition | undefined
  /** it sent a malformed position */
  isLost: boolean
  /** the replay is complete, and new events are sent */
  isLive: boolean
}

/** Twice the usual size of a full replay. */
const maxBufferedBytes = 1024 * 1024
/** Concurrent replays: the platform's limit of connections. */
const maxReplays = 6

const failure = { message: 'the event log cannot be read now; missed events will follow' }
const omission = { message: 'too many missed events to replay; reload your orders' }

/**
 * Streams the log events of one network to the listeners of their topics. All listeners share one poll of the log: the events
 * after the feed's position are read once per `pollMs` and sent to the listeners they concern. A new listener first gets the
 * events that it missed, read in the same turn and before the next poll, so that there is no gap; later polls send it only
 * events after the end of that replay. It runs only on its alarm, which is set while there are listeners. Its state may be lost
 * at any time: the position of a client is in the ids that it received.
 */
export const createEventFeed = (deps: FeedDeps): EventStreams => {
  const { limits, now } = deps
  const byTopic = new Map<string, Set<Listener>>()
  /** position up to which the log is read; undefined without listeners */
  let position: LogPosition | undefined
  let isFailing = false

  const add = (listener: Listener): void => {
    const key = toTopicKey(listener.topic)
    byTopic.set(key, (byTopic.get(key) ?? new Set()).add(listener))
  }

  const remove = (listener: Listener): void => {
    const key = toTopicKey(listener.topic)
    const ofTopic = byTopic.get(key)
    ofTopic?.delete(listener)
    if (ofTopic?.size === 0) byTopic.delete(key)
    if (byTopic.size === 0) position = undefined
  }

  const moveTo = (read: LogPosition): void => {
    if (byTopic.size > 0) position = read
  }

  /** @param at position from which the client resumes after this event */
  const send = ({ stream }: Listener, at: LogPosition | undefined, event: string, data: unknown): void =>
    stream.write(encodeEvent({ id: at && toEventId(at), event, data }))

  const encodeLogged = (logged: LoggedEvent): Uint8Array =>
    encodeEvent({
      id: toEventId(logged.position),
      event: 'order',
      data: toOrderEvent(logged, Math.floor(now() / 1_000)),
    })

  /** Accounts without a position get only new events. */
  const findMissed = async ({ topic, position: after, isLost }: Listener): Promise<MissedEvents> => {
    if ('account' in topic && !after) return { events: [], isComplete: !isLost, horizon: await deps.findHorizon() }
    const missed = await deps.findMissed(topic, after)
    const isElsewhere = after !== undefined && isAfter(after, missed.horizon)
    if (isElsewhere && 'orderUid' in topic) return { ...(await deps.findMissed(topic, undefined)), isComplete: false }
    return { ...missed, isComplete: missed.isComplete && !isLost && !isElsewhere }
  }

  const settle = (group: readonly Listener[], { events, isComplete, horizon }: MissedEvents): void => {
    const encoded = events.map(encodeLogged)
    for (const listener of group) {
      if (!isComplete) send(listener, events.length > 0 ? listener.position : horizon, 'reset', omission)
      else if ('account' in listener.topic && !listener.position) send(listener, horizon, 'position', {})
      for (const bytes of encoded) listener.stream.write(bytes)
      listener.position = horizon
      listener.isLive = true
    }
  }

  const replay = async (): Promise<void> => {
    const waiting = hub.connected().filter(({ isLive }) => !isLive)
    const groups = Map.groupBy(waiting, ({ topic, position: after, isLost }) =>
      [toTopicKey(topic), after && toEventId(after), isLost].join(),
    )
    await mapBounded([...groups.values()], maxReplays, async (group) => {
      const [first] = group
      if (first) settle(group, await findMissed(first))
    })
  }

  const publish = (events: readonly LoggedEvent[]): void => {
    for (const logged of events) {
      const { uid, owner, onchainUser } = logged.order
      const concerned = [...new Set([uid, owner, onchainUser])].flatMap((key) => [...(byTopic.get(key ?? '') ?? [])])
      const receivers = concerned.filter(({ isLive, position: at }) => isLive && at && isAfter(logged.position, at))
      if (receivers.length === 0) continue
      const bytes = encodeLogged(logged)
      for (const { stream } of receivers) stream.write(bytes)
    }
  }

  /** The horizon never moves back, so a listener that was just replayed is never ahead of the next poll. */
  const advance = async (): Promise<void> => {
    if (!position) return
    const page = await deps.findNew(position)
    publish(page.events)
    moveTo(page.position)
    if (!page.isLast) hub.arm(now())
  }

  const refresh = async (): Promise<void> => {
    try {
      moveTo(position ?? (await deps.findHorizon()))
      await replay()
      await advance()
      isFailing = false
      if (hub.connected().some(({ isLive }) => !isLive)) hub.arm(now())
    } catch (error) {
      if (isFailing) return
      isFailing = true
      deps.log({ message: 'the order log cannot be read', cause: describeError(error) })
      for (const listener of hub.connected()) send(listener, findSentPosition(listener), 'error', failure)
    }
  }

  /** The listener's position: live listeners have received everything up to the feed's position. */
  const findSentPosition = (listener: Listener): LogPosition | undefined => {
    const { isLive, position: at } = listener
    return isLive && at && position && isAfter(position, at) ? position : at
  }

  const sendPing = (listener: Listener): void => send(listener, findSentPosition(listener), 'ping', {})

  const hub = createHub<ListenerState>({ ...deps, ...limits, maxBufferedBytes, sendPing, onLeave: remove, refresh })

  return {
    join: ({ topic, lastEventId, leave }) => {
      const { streamsPerTopic: max } = limits
      if ((byTopic.get(toTopicKey(topic))?.size ?? 0) >= max) return { limit: 'streamsPerTopic', max }
      const named = lastEventId === undefined ? undefined : readEventId(lastEventId)
      const isLost = lastEventId !== undefined && named === undefined
      const listener = hub.connect({ topic, position: named, isLost, isLive: false }, leave)
      add(listener)
      if (isFailing) send(listener, named, 'error', failure)
      hub.arm(now())
      return listener.stream.body
    },
    tick: hub.tick,
  }
}
