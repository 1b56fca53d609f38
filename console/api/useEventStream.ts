import { useEffect, useState } from 'preact/hooks'
import { listenToEvents } from './listenToEvents.ts'

/** `connecting`: interrupted, and the browser connects again by itself; `lost`: refused, and opened anew from time to time. */
export type StreamState = 'connecting' | 'live' | 'lost'

/** Events that only say up to where the stream has come. */
const positions = { position: () => undefined, ping: () => undefined }

/**
 * Listens to server-sent events of one name while the component is shown. What was missed while the stream was interrupted
 * comes afterwards.
 * @param url of a stream that takes `lastEventId`; null: nothing is listened to
 * @param onEvent gets the parsed data of each event, in order
 */
export const useEventStream = <T>(url: string | null, name: string, onEvent: (data: T) => void): StreamState => {
  const [state, setState] = useState<StreamState>('connecting')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new callback is no new stream
  useEffect(() => {
    if (url === null) return
    setState('connecting')
    return listenToEvents({
      toUrl: (lastEventId) => (lastEventId === '' ? url : `${url}?${new URLSearchParams({ lastEventId })}`),
      listeners: { ...positions, [name]: onEvent },
      onState: setState,
    })
  }, [url, name])

  return state
}
