import { computeRetryDelay } from './computeRetryDelay.ts'
import type { StreamState } from './streamState.ts'

type Listening = {
  /** @param lastEventId of the newest event, empty before it; a new EventSource does not send it */
  toUrl: (lastEventId: string) => string
  /** by event name; each receives the parsed data, in order; `error` only that of the service's events */
  listeners: Record<string, (data: never) => void>
  onState: (state: StreamState) => void
}

/** First delay before a refused stream is reopened, milliseconds; EventSource does not expose `Retry-After`. */
const retryMs = 5_000

/**
 * Subscribes to server-sent events. The browser reconnects after interruptions but gives up on an error response, for
 * example when there are too many streams; then the stream is reopened.
 * @returns closes the stream
 */
export const listenToEvents = ({ toUrl, listeners, onState }: Listening): (() => void) => {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let lastEventId = ''

  const open = (): void => {
    source = new EventSource(toUrl(lastEventId))
    source.addEventListener('open', () => {
      failures = 0
      onState('live')
    })
    source.addEventListener('error', (event) => {
      // an event named `error` from the service does not end its stream
      if (event instanceof MessageEvent) return
      if (source.readyState !== EventSource.CLOSED) return onState('connecting')
      onState('lost')
      timer = setTimeout(open, computeRetryDelay(retryMs, failures))
      failures += 1
    })
    for (const [name, listener] of Object.entries(listeners)) {
      source.addEventListener(name, (event: Event) => {
        // the browser's own `error` has no data
        if (!(event instanceof MessageEvent)) return
        lastEventId = event.lastEventId
        listener(JSON.parse(event.data) as never)
      })
    }
  }

  open()
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
