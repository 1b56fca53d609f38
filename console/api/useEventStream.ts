import { useEffect, useRef, useState } from 'preact/hooks'
import { listenToEvents } from './listenToEvents.ts'
import type { StreamState } from './streamState.ts'

/** Events that only report the position of the stream. */
const positions = { position: () => undefined, ping: () => undefined }

/**
 * Subscribes to server-sent events of one name while the component is mounted. Events missed during an interruption
 * arrive afterwards.
 * @param url of a stream that accepts `lastEventId`; null: no stream
 * @param onEvent receives the parsed data of each event, in order: that of the newest render
 */
export const useEventStream = <T>(url: string | null, name: string, onEvent: (data: T) => void): StreamState => {
  const [state, setState] = useState<StreamState>('connecting')

  // a new callback is no new stream
  const newest = useRef(onEvent)
  newest.current = onEvent
  useEffect(() => {
    if (url === null) return
    setState('connecting')
    return listenToEvents({
      toUrl: (lastEventId) => (lastEventId === '' ? url : `${url}?${new URLSearchParams({ lastEventId })}`),
      listeners: { ...positions, [name]: (data: T) => newest.current(data) },
      onState: setState,
    })
  }, [url, name])

  return state
}
