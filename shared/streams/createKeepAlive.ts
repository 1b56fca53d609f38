import type { EventStream } from './openEventStream.ts'

/** The next action for a stream: `drop` or `end` it, or write a `ping` or a `keepAlive`. */
export type StreamAction = 'drop' | 'end' | 'ping' | 'keepAlive'

/** Called at least every few seconds; the returned action counts as done. */
export type NextAction = () => StreamAction | undefined

/** Random extra share of a stream's lifetime, so that clients do not reconnect together. */
const lifetimeSpread = 0.1
const pingMs = 15_000
/** The runtime detects a disconnected client only when a write fails. */
const keepAliveMs = 2_000
/** A client that reads nothing for this long is considered disconnected. */
const maxStalledMs = 30_000

export type KeepAliveDeps = {
  /** lifetime of one stream, milliseconds */
  lifetimeMs: number
  now: () => number
  /** from 0 to 1 */
  random: () => number
}

/** Schedules pings, keep-alives and the end of a stream. */
export const createKeepAlive = (
  stream: Pick<EventStream, 'isDrained'>,
  { lifetimeMs, now, random }: KeepAliveDeps,
): NextAction => {
  const endsAt = now() + lifetimeMs * (1 + lifetimeSpread * random())
  let pingedAt = now()
  let lastKeepAliveAt = now()
  /** when the client had last read all written bytes */
  let drainedAt = now()
  return () => {
    if (stream.isDrained()) drainedAt = now()
    if (now() - drainedAt > maxStalledMs) return 'drop'
    if (now() >= endsAt) return 'end'
    if (now() - pingedAt >= pingMs) {
      pingedAt = now()
      return 'ping'
    }
    if (now() - lastKeepAliveAt < keepAliveMs) return undefined
    lastKeepAliveAt = now()
    return 'keepAlive'
  }
}
