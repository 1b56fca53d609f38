import { useEffect, useState } from 'preact/hooks'
import { client } from '../../api/client.ts'
import { read } from '../../api/read.ts'
import { useEventStream } from '../../api/useEventStream.ts'
import { type RequestState, useRequest } from '../../api/useRequest.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order } from '../../order/loading/loadOrder.ts'
import { useGathered } from '../../ui/useGathered.ts'

/** Newest orders of the list. */
const maxListedOrders = 50
/** Interval of requests while the stream is unavailable. */
const lostEveryMs = 10_000
/** Several events of one block cause one request. */
const gatherMs = 300

/** Newest orders of an account, reloaded with each of its events. @param owner null: no request */
export const useAccountOrders = (network: Network, owner: string | null): RequestState<Order[]> => {
  const { name } = network
  const [isLost, setIsLost] = useState(false)
  const result = useRequest(
    owner && `orders of ${name} ${owner}`,
    (signal) =>
      read(
        client.GET('/{network}/api/v1/account/{owner}/orders', {
          params: { path: { network: name, owner: owner ?? '' }, query: { limit: maxListedOrders } },
          signal,
        }),
      ),
    isLost ? lostEveryMs : undefined,
  )
  const reloadSoon = useGathered(result.reload, gatherMs)
  const url = result.data ? `/${name}/api/v1/account/${owner}/orders/events` : null
  const state = useEventStream(url, reloadSoon, reloadSoon)
  useEffect(() => setIsLost(state === 'lost'), [state])
  return result
}
