import type { components } from '../../api/openapi.d.ts'
import type { StreamState } from '../../api/streamState.ts'
import { TimeText } from '../../ui/TimeText.tsx'
import { describeEvent } from './describeEvent.ts'

type OrderEvent = components['schemas']['OrderEvent']

type Props = { events: readonly OrderEvent[]; stream: StreamState }

/** Number of shown events of a long-lived order. */
const maxShown = 12

/** Live events of an order, newest first. */
export const OrderEvents = ({ events, stream }: Props) => {
  const shown = events.slice(-maxShown).toReversed()
  return (
    <>
      <h3>Events</h3>
      {stream === 'connecting' && <p class="loading">Connecting to live updates …</p>}
      {stream === 'lost' && (
        <p class="notice warning">Live updates are unavailable; the order is updated every 10 seconds.</p>
      )}
      <p class="visually-hidden" role="status">
        {shown[0] && describeEvent(shown[0])}
      </p>
      <ol class="order-events" reversed>
        {shown.map((event) => (
          <li key={event.id}>
            {describeEvent(event)}{' '}
            <span class="fine">
              <TimeText time={event.timestamp} />
            </span>
          </li>
        ))}
      </ol>
      {events.length > maxShown && (
        <p class="fine">
          The newest {maxShown} of {events.length}.
        </p>
      )}
    </>
  )
}
