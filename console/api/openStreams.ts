import { ApiFailure, toApiFailure } from './ApiFailure.ts'
import { computeRetryDelay } from './computeRetryDelay.ts'
import { readEventStream } from './readEventStream.ts'

/** An event of the stream of a path. The stream itself has `open`, `refused` and `closed`: interrupted, reopened soon. */
export type StreamEvent = { path: string; event: string; data: unknown }

/** First delay before interrupted streams are reopened, milliseconds. */
const interruptedMs = 1_000
/** First delay before refused streams are reopened, milliseconds. */
const refusedMs = 5_000
/** Streams send a ping every 20 seconds: a connection without one is dead, milliseconds. */
const silentMs = 60_000

/**
 * Follows the streams of several paths over one connection until it is closed. Interrupted and refused streams are
 * reopened from their beginning, after growing delays.
 * @param paths of streams of the API
 * @returns closes the connection
 */
export const openStreams = (paths: readonly string[], onEvent: (event: StreamEvent) => void): (() => void) => {
  const closer = new AbortController()
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const reportAll = (event: 'refused' | 'closed'): void => {
    if (!closer.signal.aborted) for (const path of paths) onEvent({ path, event, data: null })
  }

  /** @returns milliseconds until the next attempt */
  const follow = async (): Promise<number> => {
    const aborter = new AbortController()
    const abort = () => aborter.abort()
    let silence = setTimeout(abort, silentMs)
    let refusal: ReturnType<typeof setTimeout> | undefined
    let missing = paths.length
    try {
      for await (const event of request(paths, AbortSignal.any([closer.signal, aborter.signal]))) {
        clearTimeout(silence)
        silence = setTimeout(abort, silentMs)
        if (event.event === 'open') missing -= 1
        if (event.event === 'refused') refusal ??= setTimeout(abort, computeRetryDelay(refusedMs, failures))
        if (missing === 0) failures = 0
        onEvent(event)
      }
      reportAll('closed')
      return interruptedMs
    } catch (thrown) {
      failures += 1
      // the others stay open until the refused one is requested again
      if (refusal !== undefined && aborter.signal.aborted) return 0
      const isRefused = thrown instanceof ApiFailure
      reportAll(isRefused ? 'refused' : 'closed')
      const retryAfterMs = isRefused ? thrown.facts.retryAfterMs : 0
      return computeRetryDelay(isRefused ? refusedMs : interruptedMs, failures - 1, retryAfterMs)
    } finally {
      clearTimeout(silence)
      clearTimeout(refusal)
    }
  }

  const start = async (): Promise<void> => {
    const delayMs = await follow()
    if (!closer.signal.aborted) timer = setTimeout(start, delayMs)
  }
  void start()
  return () => {
    clearTimeout(timer)
    closer.abort()
  }
}

/** @throws ApiFailure when the whole request is refused */
async function* request(paths: readonly string[], signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const response = await fetch('/streams', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ paths }),
    signal,
  })
  if (!response.ok || !response.body) throw toApiFailure(await response.json().catch(() => null), response)
  for await (const { data } of readEventStream(response.body)) yield JSON.parse(data) as StreamEvent
}
