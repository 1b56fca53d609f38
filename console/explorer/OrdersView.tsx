import { useLocation } from 'preact-iso'
import { client } from '../api/client.ts'
import { Choice } from '../lists/Choice.tsx'
import { dropUndefined } from '../lists/dropUndefined.ts'
import { ListFrame } from '../lists/ListFrame.tsx'
import { readChoice, readToken } from '../lists/readFilter.ts'
import { TokenFilter } from '../lists/TokenFilter.tsx'
import { useList } from '../lists/useList.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { OrderList } from '../order/rows/OrderList.tsx'

const statuses = {
  open: 'Open',
  fulfilled: 'Filled',
  cancelled: 'Cancelled',
  expired: 'Expired',
  presignaturePending: 'Waiting for a signature',
} as const
const kinds = { sell: 'Sell orders', buy: 'Buy orders' } as const

/** Orders of a network with filters, newest first. */
export const OrdersView = ({ network }: { network: Network }) => {
  const { query } = useLocation()
  const filter = {
    status: readChoice(statuses, query.status),
    kind: readChoice(kinds, query.kind),
    token: readToken(query.token),
  }
  const list = useList('orders', (cursor, signal) =>
    client.GET('/{network}/api/v1/explorer/orders', {
      params: { path: { network: network.name }, query: { ...dropUndefined({ ...filter, cursor }), limit: 25 } },
      signal,
    }),
  )
  return (
    <>
      <div class="filters">
        <Choice name="status" label="Status" choices={statuses} value={filter.status} />
        <Choice name="kind" label="Kind" choices={kinds} value={filter.kind} />
        <TokenFilter />
      </div>
      <ListFrame list={list} what="orders" render={(orders) => <OrderList network={network} orders={orders} />} />
    </>
  )
}
