import { useMemo } from 'preact/hooks'
import { read } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import type { components } from '../../api/openapi.d.ts'
import { useAnswer } from '../../api/useAnswer.ts'
import type { StreamState } from '../../api/useEventStream.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order, OrderEvent } from '../loading/loadOrder.ts'
import type { Told } from './buildTimeline.ts'

const listNotifications = ({ notifications, timestamp }: OrderEvent) =>
  notifications.map(({ id, type }) => ({ id, type, time: Date.parse(timestamp) }))

/** As many as one request answers; of a busy account older ones have no words here, only what they are about. */
const maxNotifications = 100

/** What the account was told of an order: the stream says what and when, the account's list in which words. */
export const useTold = (network: Network, order: Order, events: readonly OrderEvent[], stream: StreamState): Told[] => {
  const account = order.onchainUser ?? order.owner
  const known = useMemo(() => events.flatMap(listNotifications), [events])
  const newest = Math.max(...known.map(({ id }) => id))
  const isSilent = events.length === 0 && stream === 'lost'
  const { data } = useAnswer(known.length > 0 || isSilent ? `told ${account} ${newest}` : null, (signal) =>
    read(
      client.GET('/accounts/{account}/notifications', {
        params: {
          path: { account },
          query: {
            limit: maxNotifications,
            network: network.name,
            ...(known.length > 0 ? { before: String(newest + 1) } : {}),
          },
        },
        signal,
      }),
    ),
  )
  return useMemo(() => {
    const own = data?.filter(({ metadata }) => metadata.orderUid === order.uid) ?? []
    if (known.length === 0) return own.map(toTold)
    const messages = new Map(own.map(({ id, message }) => [Number(id), message]))
    return known.map((one) => ({ ...one, message: messages.get(one.id) ?? null }))
  }, [data, known, order.uid])
}

type Notification = components['schemas']['Notification']

const toTold = ({ id, type, message, timestamp }: Notification): Told => ({
  id: Number(id),
  type,
  message,
  time: Date.parse(timestamp),
})
