import { useEffect, useRef, useState } from 'preact/hooks'
import { listenToEvents } from './listenToEvents.ts'
import type { StreamState } from './streamState.ts'

/**
 * Subscribes to server-sent events of one name while the component is mounted. Events missed during an interruption
 * arrive afterwards.
 * @param url of a stream that accepts `lastEventId`; null: no stream
 * @param onEvent receives the parsed data of each event, in order: that of the newest render
 * @param onGap called when earlier events may be missing: a stream without past events begins, or too many were missed
 */
export const useEventStream = <T>(
  url: string | null,
  name: string,
  onEvent: (data: T) => void,
  onGap: () => void = () => undefined,
): StreamState => {
  const [state, setState] = useState<StreamState>('connecting')

  // a new callback is no new stream
  const newest = useRef({ onEvent, onGap })
  newest.current = { onEvent, onGap }
  useEffect(() => {
    if (url === null) return
    setState('connecting')
    return listenToEvents({
      toUrl: (lastEventId) => (lastEventId === '' ? url : `${url}?${new URLSearchParams({ lastEventId })}`),
      listeners: {
        // only reports the position of the stream
        ping: () => undefined,
        position: () => newest.current.onGap(),
        reset: () => newest.current.onGap(),
        [name]: (data: T) => newest.current.onEvent(data),
      },
      onState: setState,
    })
  }, [url, name])

  return state
}
