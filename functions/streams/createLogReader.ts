import type { LoggedEvent, LogPosition } from '#schema/queries/events/logPage.ts'
import type { LogTopic, SearchedTopic } from '#schema/queries/events/logTopic.ts'
import type { MissedEvents } from '#schema/queries/events/selectMissedOrderEvents.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { isAfter, toEventId } from './eventId.ts'
import { createSentEvent, type SentEvent } from './sentEvent.ts'
import { listTopicKeys, toTopicKey } from './toTopicKey.ts'

export type LogReaderDeps = {
  /** the position of the end of the log; like the others, rejects when the database fails */
  findHorizon: () => Promise<LogPosition>
  /** see `selectNewOrderEvents` */
  findNew: (after: LogPosition) => Promise<{ events: LoggedEvent[]; position: LogPosition; isLast: boolean }>
  /** see `selectMissedOrderEvents` */
  findMissed: (topic: LogTopic, after: LogPosition | undefined) => Promise<MissedEvents>
  /** see `selectTopicSnapshot` */
  findSnapshot: (topic: SearchedTopic) => Promise<MissedEvents>
  now: () => number
}

/** Events before a listener's first new one. `isResumed`: all since its position, otherwise they are where it begins. */
export type Opening = Omit<MissedEvents, 'events'> & { events: SentEvent[]; isResumed: boolean }

export type Listener = {
  topic: LogTopic
  /** listeners of all clients take turns */
  client: string
  /** `stream`: an account without a position gets only new events; `snapshot`: a topic without one begins with its state */
  opensWith: 'stream' | 'snapshot'
  /** position up to which events were sent; undefined: none yet */
  position: LogPosition | undefined
  /** it sent a malformed position */
  isLost: boolean
  /** its opening was sent, and new events are sent */
  isLive: boolean
  /** false: its opening waits, because its client has to read first */
  isReady?: () => boolean
  /** called once, before `isLive` */
  open: (opening: Opening) => void
  send: (event: SentEvent) => void
}

export type LogReader = {
  add: (listener: Listener) => void
  remove: (listener: Listener) => void
  countOfTopic: (topic: LogTopic) => number
  /** Position from which a listener can resume: live ones have received everything up to the reader's. */
  findSentPosition: (listener: Listener) => LogPosition | undefined
  /**
   * Opens waiting listeners and sends new events to the others.
   * @returns whether more can be read at once
   */
  read: () => Promise<boolean>
}

/** Concurrent openings: the platform's limit of connections. */
const maxConcurrent = 6
/** Openings of one turn; new events are sent after each turn. */
const maxOpenings = 100

/**
 * Reads the log events of one network for the listeners of their topics. All share one position: the events after it are
 * read once and sent to the listeners they concern. A new listener first gets the events before, read in the same turn and
 * before the next poll, so that there is no gap; later polls send it only events after the end of its opening.
 */
export const createLogReader = (deps: LogReaderDeps): LogReader => {
  const byTopic = new Map<string, Set<Listener>>()
  const waiting = new Set<Listener>()
  /** position up to which the log is read; undefined without listeners */
  let position: LogPosition | undefined

  const moveTo = (read: LogPosition): void => {
    if (byTopic.size > 0) position = read
  }

  const findOpening = async (listener: Listener): Promise<MissedEvents & { isResumed: boolean }> =>
    listener.opensWith === 'stream'
      ? { ...(await findForStream(listener)), isResumed: listener.position !== undefined }
      : findOrSnapshot(listener)

  /** Accounts without a position get only new events. */
  const findForStream = async ({ topic, position: after, isLost }: Listener): Promise<MissedEvents> => {
    if (!('orderUid' in topic || after)) return { events: [], isComplete: !isLost, horizon: await deps.findHorizon() }
    const missed = await deps.findMissed(topic, after)
    const isElsewhere = after !== undefined && isAfter(after, missed.horizon)
    if (isElsewhere && 'orderUid' in topic) return { ...(await deps.findMissed(topic, undefined)), isComplete: false }
    return { ...missed, isComplete: missed.isComplete && !isLost && !isElsewhere }
  }

  const findOrSnapshot = async ({ topic, position: after }: Listener) => {
    const missed = after && (await deps.findMissed(topic, after))
    if (missed?.isComplete && !isAfter(after as LogPosition, missed.horizon)) return { ...missed, isResumed: true }
    const snapshot = await ('orderUid' in topic ? deps.findMissed(topic, undefined) : deps.findSnapshot(topic))
    return { ...snapshot, isResumed: false }
  }

  const encode = (logged: LoggedEvent): SentEvent => createSentEvent(logged, Math.floor(deps.now() / 1_000))

  const open = async (group: readonly Listener[]): Promise<void> => {
    const [first] = group
    if (!first) return
    const found = await findOpening(first)
    const opening = { ...found, events: found.events.map(encode) }
    for (const listener of group) {
      // one may have left meanwhile, and the opening before may be as much as its client reads now
      if (!waiting.has(listener) || listener.isReady?.() === false) continue
      waiting.delete(listener)
      listener.open(opening)
      listener.position = found.horizon
      listener.isLive = true
    }
  }

  /** Those that wait longest first, one of each client before the second of any. */
  const listNext = (): Listener[] => {
    const ranks = new Map<string, number>()
    const ranked = [...waiting].flatMap((listener) => {
      if (listener.isReady?.() === false) return []
      const rank = ranks.get(listener.client) ?? 0
      ranks.set(listener.client, rank + 1)
      return { listener, rank }
    })
    return ranked.sort((a, b) => a.rank - b.rank).map(({ listener }) => listener)
  }

  const openWaiting = async (): Promise<void> => {
    const groups = Map.groupBy(listNext(), ({ topic, opensWith, position: after, isLost }) =>
      [toTopicKey(topic), opensWith, after && toEventId(after), isLost].join(),
    )
    await mapBounded([...groups.values()].slice(0, maxOpenings), maxConcurrent, open)
  }

  const publish = (events: readonly LoggedEvent[]): void => {
    for (const logged of events) {
      const concerned = listTopicKeys(logged).flatMap((key) => [...(byTopic.get(key) ?? [])])
      const receivers = concerned.filter(({ isLive, position: at }) => isLive && at && isAfter(logged.position, at))
      if (receivers.length === 0) continue
      const event = encode(logged)
      for (const { send } of receivers) send(event)
    }
  }

  /** The horizon never moves back, so a listener that was just opened is never ahead of the next poll. */
  const advance = async (): Promise<boolean> => {
    if (!position) return true
    const page = await deps.findNew(position)
    publish(page.events)
    moveTo(page.position)
    return page.isLast
  }

  return {
    add: (listener) => {
      const key = toTopicKey(listener.topic)
      byTopic.set(key, (byTopic.get(key) ?? new Set()).add(listener))
      waiting.add(listener)
    },
    remove: (listener) => {
      const key = toTopicKey(listener.topic)
      const ofTopic = byTopic.get(key)
      ofTopic?.delete(listener)
      if (ofTopic?.size === 0) byTopic.delete(key)
      if (byTopic.size === 0) position = undefined
      waiting.delete(listener)
    },
    countOfTopic: (topic) => byTopic.get(toTopicKey(topic))?.size ?? 0,
    findSentPosition: ({ isLive, position: at }) => (isLive && at && position && isAfter(position, at) ? position : at),
    read: async () => {
      moveTo(position ?? (await deps.findHorizon()))
      await openWaiting()
      const isLast = await advance()
      return !isLast || listNext().length > 0
    },
  }
}
