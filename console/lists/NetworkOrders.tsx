import { client } from '../api/client.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { OrderList } from '../order/rows/OrderList.tsx'
import { dropUndefined } from './dropUndefined.ts'
import { ListFrame } from './ListFrame.tsx'
import { useList } from './useList.ts'

type Props = {
  network: Network
  status?: 'open' | 'fulfilled' | 'cancelled' | 'expired' | 'presignaturePending' | undefined
  kind?: 'sell' | 'buy' | undefined
  /** sold or bought */
  token: string | undefined
  /** rows of a page */
  limit: number
}

/** Orders of a network that match all given filters, newest first, page by page. */
export const NetworkOrders = ({ network, ...filter }: Props) => {
  const list = useList('orders', (cursor, signal) =>
    client.GET('/{network}/api/v1/explorer/orders', {
      params: { path: { network: network.name }, query: dropUndefined({ ...filter, cursor }) },
      signal,
    }),
  )
  return <ListFrame list={list} what="orders" render={(orders) => <OrderList network={network} orders={orders} />} />
}
