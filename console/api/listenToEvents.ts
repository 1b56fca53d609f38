import { computeRetryDelay } from './computeRetryDelay.ts'
import type { StreamState } from './useEventStream.ts'

type Listening = {
  /** @param lastEventId of the newest event, empty before it; a stream that is opened anew does not send it by itself */
  toUrl: (lastEventId: string) => string
  /** by the name of the event; each gets the parsed data, in order */
  listeners: Record<string, (data: never) => void>
  onState: (state: StreamState) => void
}

/** Milliseconds until a stream that was refused is asked for again, the first time; an EventSource keeps `Retry-After` to itself. */
const retryMs = 5_000

/**
 * Listens to a stream of server-sent events. The browser connects again by itself, but gives up when an answer is no stream,
 * as when there are too many of them: then it is opened anew.
 * @returns ends it
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
      // an event of this name that the service sends does not end its stream
      if (event instanceof MessageEvent) return
      if (source.readyState !== EventSource.CLOSED) return onState('connecting')
      onState('lost')
      timer = setTimeout(open, computeRetryDelay(retryMs, failures))
      failures += 1
    })
    for (const [name, listener] of Object.entries(listeners)) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
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
