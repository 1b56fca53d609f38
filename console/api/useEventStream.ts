import { useEffect, useState } from 'preact/hooks'

export type StreamState = 'connecting' | 'live' | 'lost'

/**
 * Listens to server-sent events of one name while the component is shown. The browser reconnects by itself and resumes with
 * `Last-Event-ID`; `lost` is what the API refused for good.
 * @param url null: nothing is listened to
 * @param onEvent gets the parsed data of each event, in order
 */
export const useEventStream = <T>(url: string | null, name: string, onEvent: (data: T) => void): StreamState => {
  const [state, setState] = useState<StreamState>('connecting')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new callback is no new stream
  useEffect(() => {
    if (url === null) return
    setState('connecting')
    const source = new EventSource(url)
    source.addEventListener('open', () => setState('live'))
    source.addEventListener('error', () => setState(source.readyState === EventSource.CLOSED ? 'lost' : 'connecting'))
    source.addEventListener(name, (event) => onEvent(JSON.parse((event as MessageEvent<string>).data) as T))
    return () => source.close()
  }, [url, name])

  return state
}
