import { AsyncLocalStorage } from 'node:async_hooks'

/** Round trips to one kind of dependency, and the time spent waiting for them in milliseconds. */
export type Span = { count: number; milliseconds: number }

/** Round trips by dependency: `db`, `rpc`, `solver`, `upstream`. */
export type Spans = ReadonlyMap<string, Span>

const current = new AsyncLocalStorage<Map<string, Span>>()

/**
 * Counts every `measureRoundTrip` inside `work`, except those in a nested `withRoundTrips`.
 * @param work receives the live counts
 */
export const withRoundTrips = <T>(work: (spans: Spans) => Promise<T>): Promise<T> => {
  const spans = new Map<string, Span>()
  return current.run(spans, () => work(spans))
}

/**
 * Counts one round trip to `dependency` from its start, so that an abandoned one is counted, too. Only I/O is timed: the
 * runtime's clock stands still during CPU work.
 */
export const measureRoundTrip = async <T>(dependency: string, work: () => Promise<T>): Promise<T> => {
  const spans = current.getStore()
  if (!spans) return work()
  const span = spans.get(dependency) ?? { count: 0, milliseconds: 0 }
  spans.set(dependency, span)
  span.count += 1
  const started = performance.now()
  try {
    return await work()
  } finally {
    span.milliseconds += performance.now() - started
  }
}

/** The value of a `Server-Timing` header, empty without round trips: `db;dur=3.2;desc="2"`. */
export const toServerTimingHeader = (spans: Spans): string =>
  [...spans].map(([name, span]) => `${name};dur=${span.milliseconds.toFixed(1)};desc="${span.count}"`).join(', ')

/** Parses a header of `toServerTimingHeader`; other entries are skipped. */
export const readServerTiming = (header: string | null): Spans =>
  new Map(
    [...(header ?? '').matchAll(/(\w+);dur=([\d.]+);desc="(\d+)"/g)].map(([, name = '', milliseconds, count]) => [
      name,
      { count: Number(count), milliseconds: Number(milliseconds) },
    ]),
  )

/** Log fields of database and RPC round trips; whole milliseconds. */
export const toLogFields = (spans: Spans) => ({
  dbTrips: spans.get('db')?.count ?? 0,
  dbMs: Math.round(spans.get('db')?.milliseconds ?? 0),
  rpcTrips: spans.get('rpc')?.count ?? 0,
  rpcMs: Math.round(spans.get('rpc')?.milliseconds ?? 0),
})
