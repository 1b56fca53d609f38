import { useEffect, useRef, useState } from 'preact/hooks'
import { listenToEvents } from './listenToEvents.ts'
import type { StreamState } from './streamState.ts'

/**
 * Subscribes to the events named `order` while the component is mounted. After an interruption the stream begins anew.
 * @param path of a stream of the API; null: no stream
 * @param onEvent receives the parsed data of each event, in order: that of the newest render
 * @param onGap called when earlier events may be missing: a stream without past events begins, or too many were missed
 */
export const useEventStream = <T>(
  path: string | null,
  onEvent: (data: T) => void,
  onGap: () => void = () => undefined,
): StreamState => {
  const [state, setState] = useState<StreamState>('connecting')

  // a new callback is no new stream
  const newest = useRef({ onEvent, onGap })
  newest.current = { onEvent, onGap }
  useEffect(() => {
    if (path === null) return
    setState('connecting')
    return listenToEvents({
      path,
      listeners: {
        position: () => newest.current.onGap(),
        reset: () => newest.current.onGap(),
        order: (data: T) => newest.current.onEvent(data),
      },
      onState: setState,
    })
  }, [path])

  return state
}
