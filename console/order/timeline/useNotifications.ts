import { useMemo } from 'preact/hooks'
import { client } from '../../api/client.ts'
import type { components } from '../../api/openapi.d.ts'
import { read } from '../../api/read.ts'
import type { StreamState } from '../../api/streamState.ts'
import { useRequest } from '../../api/useRequest.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order, OrderEvent } from '../loading/loadOrder.ts'
import type { OrderNotification } from './times/timelineFacts.ts'

const listNotifications = ({ notifications, timestamp }: OrderEvent) =>
  notifications.map(({ id, type }) => ({ id, type, time: Date.parse(timestamp) }))

/** Most notifications of one response; older ones of a busy account show their type without text. */
const maxNotifications = 100

/** Notifications about an order: type and time from the stream, texts from the account's list. */
export const useNotifications = (
  network: Network,
  order: Order,
  events: readonly OrderEvent[],
  stream: StreamState,
): OrderNotification[] => {
  const account = order.onchainUser ?? order.owner
  const known = useMemo(() => events.flatMap(listNotifications), [events])
  const newest = Math.max(...known.map(({ id }) => id))
  const isSilent = events.length === 0 && stream === 'lost'
  const { data } = useRequest(known.length > 0 || isSilent ? `notifications ${account} ${newest}` : null, (signal) =>
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
    if (known.length === 0) return own.map(toOrderNotification)
    const messages = new Map(own.map(({ id, message }) => [Number(id), message]))
    return known.map((one) => ({ ...one, message: messages.get(one.id) ?? null }))
  }, [data, known, order.uid])
}

type Notification = components['schemas']['Notification']

const toOrderNotification = ({ id, type, message, timestamp }: Notification): OrderNotification => ({
  id: Number(id),
  type,
  message,
  time: Date.parse(timestamp),
})
