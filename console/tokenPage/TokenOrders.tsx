import { client } from '../api/client.ts'
import { ListFrame } from '../lists/ListFrame.tsx'
import { useList } from '../lists/useList.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { OrderList } from '../order/rows/OrderList.tsx'

/** Orders that sell or buy a token, newest first. */
export const TokenOrders = ({ network, token }: { network: Network; token: string }) => {
  const list = useList('orders', (cursor, signal) =>
    client.GET('/{network}/api/v1/explorer/orders', {
      params: { path: { network: network.name }, query: { token, limit: 10, ...(cursor ? { cursor } : {}) } },
      signal,
    }),
  )
  return <ListFrame list={list} what="orders" render={(orders) => <OrderList network={network} orders={orders} />} />
}
