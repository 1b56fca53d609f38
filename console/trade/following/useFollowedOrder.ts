import { useEffect, useRef, useState } from 'preact/hooks'
import { client } from '../../api/client.ts'
import type { components } from '../../api/openapi.d.ts'
import { read } from '../../api/read.ts'
import type { StreamState } from '../../api/streamState.ts'
import { type RequestState, useRequest } from '../../api/useRequest.ts'
import type { NetworkName } from '../../networks/NetworksProvider.tsx'
import { useOrderEvents } from '../../order/loading/useOrderEvents.ts'
import { useNow } from '../../ui/useNow.ts'
import { applyEvent } from './applyEvent.ts'

type Order = components['schemas']['Order']
type OrderEvent = components['schemas']['OrderEvent']

export type FollowedOrder = Pick<RequestState<Order>, 'failure' | 'reload'> & {
  /** updated with its newest event */
  order: Order | undefined
  /** oldest first */
  events: readonly OrderEvent[]
  stream: StreamState
}

/** Interval of requests while the stream is unavailable. */
const lostEveryMs = 10_000

/** An order with live updates and its events. */
export const useFollowedOrder = (network: NetworkName, uid: string): FollowedOrder => {
  const [isLost, setIsLost] = useState(false)
  /** number of events known at the time of the request, which the response already includes */
  const known = useRef(0)
  const { data, failure, reload } = useRequest(
    `order:${network}:${uid}`,
    async (signal) => {
      const before = known.current
      const path = { network, uid }
      const order = await read(client.GET('/{network}/api/v1/orders/{uid}', { params: { path }, signal }))
      return { order, known: before }
    },
    isLost ? lostEveryMs : undefined,
  )
  // an unknown order has no events
  const { events, state } = useOrderEvents(data ? `/${network}/api/v1/orders/${uid}/events` : null)
  known.current = events.length
  useEffect(() => setIsLost(state === 'lost'), [state])
  const now = Math.floor(useNow() / 1_000)
  const newest = data && events.length > data.known ? events.at(-1) : undefined
  return { order: data && applyEvent(data.order, newest, now), failure, reload, events, stream: state }
}
