import type { EventStream } from './openEventStream.ts'

/** What a stream needs now: `drop` and `end` it, or write a `ping` or a `keepAlive`. */
export type Duty = 'drop' | 'end' | 'ping' | 'keepAlive'

/** Asked every few seconds at least; what it names counts as done. */
export type Upkeep = () => Duty | undefined

/** A browser waits for so long before it connects again, */
export const retryMs = 2_000
/** and streams live up to this share longer than the others, so that not all clients come back at once. */
const lifetimeSpread = 0.1
const pingMs = 15_000
/** Only a write that fails tells the runtime that a client has left. */
const keepAliveMs = 2_000
/** A client that takes nothing for so long is gone, though nobody noticed. */
const maxStalledMs = 30_000

export type UpkeepDeps = {
  /** of one stream, milliseconds */
  lifetimeMs: number
  now: () => number
  /** from 0 to 1 */
  random: () => number
}

/** Says what keeps a stream alive, and when it is over. */
export const createUpkeep = (
  stream: Pick<EventStream, 'isDrained'>,
  { lifetimeMs, now, random }: UpkeepDeps,
): Upkeep => {
  const endsAt = now() + lifetimeMs * (1 + lifetimeSpread * random())
  let pingedAt = now()
  let keptAliveAt = now()
  /** when the client had taken all that it was sent */
  let drainedAt = now()
  return () => {
    if (stream.isDrained()) drainedAt = now()
    if (now() - drainedAt > maxStalledMs) return 'drop'
    if (now() >= endsAt) return 'end'
    if (now() - pingedAt >= pingMs) {
      pingedAt = now()
      return 'ping'
    }
    if (now() - keptAliveAt < keepAliveMs) return undefined
    keptAliveAt = now()
    return 'keepAlive'
  }
}
