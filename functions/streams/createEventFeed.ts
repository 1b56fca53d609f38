import type { LoggedEvent, LogPosition, LogTopic, MissedEvents } from '#schema/queries/newOrderEvents.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { createUpkeep, retryMs, type Upkeep } from '#shared/streams/createUpkeep.ts'
import { type EventStream, openEventStream } from '#shared/streams/openEventStream.ts'
import { encodeEvent, encodeRetry, keepAlive } from '#shared/streams/serverSentEvent.ts'
import type { OrderStreamRefusal } from './answerWithStream.ts'
import { isAfter, readEventId, toEventId } from './eventId.ts'
import { toOrderEvent } from './orderEventResponse.ts'
import { toTopicKey } from './toTopicKey.ts'

export type FeedDeps = {
  limits: {
    streamsPerTopic: number
    /** of one stream, milliseconds */
    lifetimeMs: number
    /** how often the log is looked at */
    pollMs: number
  }
  /** the position behind everything that the log has; rejects, as the other two, when the database fails */
  findHorizon: () => Promise<LogPosition>
  /** see `selectNewOrderEvents` */
  findNew: (after: LogPosition) => Promise<{ events: LoggedEvent[]; position: LogPosition; isLast: boolean }>
  /** see `selectMissedOrderEvents` */
  findMissed: (topic: LogTopic, after: LogPosition | undefined) => Promise<MissedEvents>
  /** has `tick` called at this time, Unix milliseconds, and at no other; undefined: not at all */
  setAlarm: (at: number | undefined) => void
  now: () => number
  /** from 0 to 1 */
  random: () => number
  log: (entry: JsonObject) => void
}

export type JoinRequest = {
  topic: LogTopic
  lastEventId: string | undefined
  /** called once when the stream is over, whoever ended it */
  leave: () => void
}

export type EventFeed = {
  join: (request: JoinRequest) => ReadableStream<Uint8Array> | OrderStreamRefusal
  /** @returns when what it has begun to read is told; never rejects */
  tick: () => Promise<void>
}

type Listener = {
  topic: LogTopic
  stream: EventStream
  leave: () => void
  findDuty: Upkeep
  /** up to where it has been told; undefined: nothing yet */
  position: LogPosition | undefined
  /** it named a position that is none */
  isLost: boolean
  /** it has been told what it missed, and gets what is new */
  isLive: boolean
}

/** Twice what a whole replay usually takes. */
const maxBufferedBytes = 1024 * 1024
/** Topics whose missed events are read at the same time: as many connections as the platform gives. */
const maxReplays = 6

const failure = { message: 'the log cannot be read now; what you miss follows' }
const omission = { message: 'what you have missed cannot be told in full; read your orders again' }

/**
 * Tells everybody who listens to a topic of one network what is written to the log about it. All listeners share one look at
 * the log, whatever their topics: what is behind the feed's position is read, once in `pollMs`, and each event given to those
 * whom it concerns. Somebody new is told first what he has missed, read in the same turn and before the next look, so that
 * nothing lies between the two; he gets what is behind the place up to which that was read. It runs on the alarm alone, which
 * is set while somebody listens. What is kept here may be lost at any time: the position of a client is in the ids that it got.
 */
export const createEventFeed = (deps: FeedDeps): EventFeed => {
  const { limits, now } = deps
  const listeners = new Set<Listener>()
  const byTopic = new Map<string, Set<Listener>>()
  /** up to where the log is read; undefined while nobody listens */
  let position: LogPosition | undefined
  let isFailing = false
  let reading: Promise<void> | undefined
  let alarmAt: number | undefined

  const arm = (at: number | undefined): void => {
    const isSetAlready = at !== undefined && alarmAt !== undefined && alarmAt <= at
    if (isSetAlready || at === alarmAt) return
    alarmAt = at
    deps.setAlarm(at)
  }

  const add = (listener: Listener): void => {
    const key = toTopicKey(listener.topic)
    listeners.add(listener)
    byTopic.set(key, (byTopic.get(key) ?? new Set()).add(listener))
  }

  const remove = (listener: Listener): void => {
    if (!listeners.delete(listener)) return
    const key = toTopicKey(listener.topic)
    const ofTopic = byTopic.get(key)
    ofTopic?.delete(listener)
    if (ofTopic?.size === 0) byTopic.delete(key)
    if (listeners.size === 0) {
      position = undefined
      arm(undefined)
    }
    listener.leave()
  }

  const moveTo = (read: LogPosition): void => {
    if (listeners.size > 0) position = read
  }

  /** @param at where a client that has been told this goes on from */
  const send = ({ stream }: Listener, at: LogPosition | undefined, event: string, data: unknown): void =>
    stream.write(encodeEvent({ id: at && toEventId(at), event, data }))

  const encodeLogged = (logged: LoggedEvent): Uint8Array =>
    encodeEvent({
      id: toEventId(logged.position),
      event: 'order',
      data: toOrderEvent(logged, Math.floor(now() / 1_000)),
    })

  /** An account is told of what happens from now on, when it does not say from where. */
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
    const waiting = [...listeners].filter(({ isLive }) => !isLive)
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
      const told = concerned.filter(({ isLive, position: at }) => isLive && at && isAfter(logged.position, at))
      if (told.length === 0) continue
      const bytes = encodeLogged(logged)
      for (const { stream } of told) stream.write(bytes)
    }
  }

  /** A horizon never goes back, so that nobody who was just told what he missed is ahead of the next look. */
  const advance = async (): Promise<void> => {
    if (!position) return
    const page = await deps.findNew(position)
    publish(page.events)
    moveTo(page.position)
    if (!page.isLast) arm(now())
  }

  const refresh = async (): Promise<void> => {
    try {
      moveTo(position ?? (await deps.findHorizon()))
      await replay()
      await advance()
      isFailing = false
      if ([...listeners].some(({ isLive }) => !isLive)) arm(now())
    } catch (error) {
      if (isFailing) return
      isFailing = true
      deps.log({ message: 'the log of orders cannot be read', cause: describeError(error) })
      for (const listener of [...listeners]) send(listener, listener.position, 'error', failure)
    }
  }

  /** All that is behind the feed's position, and nothing else, is still to be told. */
  const findTold = (listener: Listener): LogPosition | undefined => {
    const { isLive, position: at } = listener
    return isLive && at && position && isAfter(position, at) ? position : at
  }

  const attend = (): void => {
    for (const listener of [...listeners]) {
      const { stream, findDuty } = listener
      const duty = findDuty()
      if (duty === 'drop') stream.drop()
      if (duty === 'keepAlive') stream.write(keepAlive)
      if (duty === 'ping') send(listener, findTold(listener), 'ping', {})
      if (duty === 'end') {
        stream.end()
        remove(listener)
      }
    }
  }

  return {
    join: ({ topic, lastEventId, leave }) => {
      const { streamsPerTopic: max } = limits
      if ((byTopic.get(toTopicKey(topic))?.size ?? 0) >= max) return { limit: 'streamsPerTopic', max }
      const named = lastEventId === undefined ? undefined : readEventId(lastEventId)
      const stream: EventStream = openEventStream(maxBufferedBytes, () => remove(listener))
      const listener: Listener = {
        topic,
        stream,
        leave,
        findDuty: createUpkeep(stream, { ...deps, lifetimeMs: limits.lifetimeMs }),
        position: named,
        isLost: lastEventId !== undefined && named === undefined,
        isLive: false,
      }
      add(listener)
      stream.write(encodeRetry(retryMs))
      if (isFailing) send(listener, named, 'error', failure)
      arm(now())
      return stream.body
    },
    tick: async () => {
      alarmAt = undefined
      attend()
      if (listeners.size === 0) return
      arm(now() + limits.pollMs)
      reading ??= refresh().finally(() => {
        reading = undefined
      })
      await reading
    },
  }
}
