import { read } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import type { components } from '../api/openapi.d.ts'
import { type Answer, useAnswer } from '../api/useAnswer.ts'
import type { StreamState } from '../api/useEventStream.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import { useOrderEvents } from '../order/useOrderEvents.ts'
import { useNow } from '../ui/useNow.ts'
import { applyEvent } from './applyEvent.ts'

type Order = components['schemas']['Order']
type OrderEvent = components['schemas']['OrderEvent']

export type FollowedOrder = Pick<Answer<Order>, 'failure' | 'reload'> & {
  /** as its newest event says */
  order: Order | undefined
  /** oldest first */
  events: readonly OrderEvent[]
  stream: StreamState
}

/** An order and what happens to it, as it happens. */
export const useFollowedOrder = (network: NetworkName, uid: string): FollowedOrder => {
  const { data, failure, reload } = useAnswer(`order:${network}:${uid}`, (signal) =>
    read(client.GET('/{network}/api/v1/orders/{uid}', { params: { path: { network, uid } }, signal })),
  )
  // an order that nobody knows has no events either
  const { events, state } = useOrderEvents(data ? `/${network}/api/v1/orders/${uid}/events` : null)
  const now = Math.floor(useNow() / 1_000)
  return { order: data && applyEvent(data, events.at(-1), now), failure, reload, events, stream: state }
}
