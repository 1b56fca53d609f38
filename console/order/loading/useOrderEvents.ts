import { useRef, useState } from 'preact/hooks'
import type { StreamState } from '../../api/streamState.ts'
import { useEventStream } from '../../api/useEventStream.ts'
import { useGathered } from '../../ui/useGathered.ts'
import type { OrderEvent } from './loadOrder.ts'

/** A stream begins with all past events, possibly thousands: they are rendered together. */
const gatherMs = 50

/** Events of an order, oldest first, each once. @param url null: no stream; received events stay */
export const useOrderEvents = (url: string | null): { events: readonly OrderEvent[]; state: StreamState } => {
  const [events, setEvents] = useState<readonly OrderEvent[]>([])
  const seen = useRef(new Map<number, OrderEvent>())
  const showSoon = useGathered(() => setEvents([...seen.current.values()].toSorted((a, b) => a.id - b.id)), gatherMs)
  const state = useEventStream<OrderEvent>(url, (event) => {
    seen.current.set(event.id, event)
    showSoon()
  })
  return { events, state }
}
