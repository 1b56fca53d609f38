import { followStream } from './sharedStreams.ts'
import type { StreamState } from './streamState.ts'

type Listening = {
  /** of a stream of the API */
  path: string
  /** by event name; each receives the data, in order */
  listeners: Record<string, (data: never) => void>
  onState: (state: StreamState) => void
}

const states: Record<string, StreamState | undefined> = { open: 'live', closed: 'connecting', refused: 'lost' }

/**
 * Subscribes to the events of a stream. After an interruption it begins anew, with what it has at its beginning.
 * @returns leaves the stream
 */
export const listenToEvents = ({ path, listeners, onState }: Listening): (() => void) =>
  followStream(path, ({ event, data }) => {
    const state = states[event]
    if (state) onState(state)
    else listeners[event]?.(data as never)
  })
