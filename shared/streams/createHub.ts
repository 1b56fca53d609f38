import { isOverdue } from '../armAlarm.ts'
import { createKeepAlive, type KeepAliveDeps, type NextAction } from './createKeepAlive.ts'
import { type EventStream, openEventStream } from './openEventStream.ts'
import { encodeRetry, keepAlive } from './serverSentEvent.ts'

/** A listener with its stream. */
export type Connected<State> = State & { stream: EventStream }

export type HubDeps<State> = KeepAliveDeps & {
  /** a client with more unread bytes is dropped */
  maxBufferedBytes: number
  /** interval between refreshes, milliseconds */
  pollMs: number
  /** schedules the next `tick`, Unix milliseconds, replacing any other; undefined: none */
  setAlarm: (at: number | undefined) => void
  sendPing: (listener: Connected<State>) => void
  /** called once for each listener, after it has left */
  onLeave: (listener: Connected<State>) => void
  /** reads and publishes new data; never rejects */
  refresh: () => Promise<void>
  /** receivers without a stream; `attend` runs on each tick */
  others?: { areThere: () => boolean; attend: () => void }
}

export type Hub<State> = {
  connected: () => Connected<State>[]
  /** @param leave called once when the stream ends, for any reason */
  connect: (state: State, leave: () => void) => Connected<State>
  /** ticks at this time, Unix milliseconds, unless a tick is due earlier */
  arm: (at: number) => void
  /** unsets the alarm when there is no listener */
  rest: () => void
  /** runs on the alarm; resolves when the refresh that it started is published; never rejects */
  tick: () => Promise<void>
}

/** Reconnect delay sent to browsers. */
const retryMs = 2_000

/**
 * Serves the event streams of many listeners and refreshes their data, at most one refresh at a time. It runs only on
 * its alarm, which is set while there are listeners.
 */
export const createHub = <State extends object>(deps: HubDeps<State>): Hub<State> => {
  const { pollMs, now } = deps
  const listeners = new Map<Connected<State>, { nextAction: NextAction; leave: () => void }>()
  let refreshing: Promise<void> | undefined
  let alarmAt: number | undefined

  const setAlarm = (at: number | undefined): void => {
    if (at === alarmAt) return
    alarmAt = at
    deps.setAlarm(at)
  }

  const arm = (at: number): void => {
    if (alarmAt === undefined || alarmAt > at || isOverdue(alarmAt, now())) setAlarm(at)
  }

  const isIdle = (): boolean => listeners.size === 0 && !deps.others?.areThere()
  const rest = (): void => {
    if (isIdle()) setAlarm(undefined)
  }

  const remove = (listener: Connected<State>): void => {
    const connection = listeners.get(listener)
    if (!connection) return
    listeners.delete(listener)
    deps.onLeave(listener)
    rest()
    connection.leave()
  }

  const attend = (): void => {
    for (const [listener, { nextAction }] of [...listeners]) {
      const { stream } = listener
      const action = nextAction()
      if (action === 'drop') stream.drop()
      if (action === 'keepAlive') stream.write(keepAlive)
      if (action === 'ping') deps.sendPing(listener)
      if (action === 'end') {
        stream.end()
        remove(listener)
      }
    }
  }

  return {
    connected: () => [...listeners.keys()],
    connect: (state, leave) => {
      const stream = openEventStream(deps.maxBufferedBytes, () => remove(listener))
      const listener: Connected<State> = { ...state, stream }
      listeners.set(listener, { nextAction: createKeepAlive(stream, deps), leave })
      stream.write(encodeRetry(retryMs))
      return listener
    },
    arm,
    rest,
    tick: async () => {
      alarmAt = undefined
      attend()
      deps.others?.attend()
      if (isIdle()) return
      arm(now() + pollMs)
      refreshing ??= deps.refresh().finally(() => {
        refreshing = undefined
      })
      await refreshing
    },
  }
}
