import { AsyncLocalStorage } from 'node:async_hooks'

/** Round trips of one request to one kind of dependency, and the time spent waiting for them in milliseconds. */
type Span = { count: number; milliseconds: number }

const current = new AsyncLocalStorage<Map<string, Span>>()

/** Runs `work` so that every `measureRoundTrip` inside it counts towards one `Server-Timing` header. */
export const withServerTiming = async <T>(work: () => Promise<T>): Promise<{ result: T; header: string }> => {
  const spans = new Map<string, Span>()
  const result = await current.run(spans, work)
  return { result, header: toServerTimingHeader(spans) }
}

/** Counts one round trip to `dependency` (`db`, `rpc`, `solver`). Only I/O is timed: timers stand still during CPU work. */
export const measureRoundTrip = async <T>(dependency: string, work: () => Promise<T>): Promise<T> => {
  const started = performance.now()
  try {
    return await work()
  } finally {
    const spans = current.getStore()
    if (spans) {
      const span = spans.get(dependency) ?? { count: 0, milliseconds: 0 }
      span.count += 1
      span.milliseconds += performance.now() - started
      spans.set(dependency, span)
    }
  }
}

const toServerTimingHeader = (spans: Map<string, Span>): string =>
  [...spans].map(([name, span]) => `${name};dur=${span.milliseconds.toFixed(1)};desc="${span.count}"`).join(', ')
