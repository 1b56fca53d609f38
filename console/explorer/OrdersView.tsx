import { useLocation } from 'preact-iso'
import { Choice } from '../lists/Choice.tsx'
import { NetworkOrders } from '../lists/NetworkOrders.tsx'
import { readChoice, readToken } from '../lists/readFilter.ts'
import { TokenFilter } from '../lists/TokenFilter.tsx'
import type { Network } from '../networks/NetworksProvider.tsx'

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
  const status = readChoice(statuses, query.status)
  const kind = readChoice(kinds, query.kind)
  return (
    <>
      <div class="filters">
        <Choice name="status" label="Status" choices={statuses} value={status} />
        <Choice name="kind" label="Kind" choices={kinds} value={kind} />
        <TokenFilter />
      </div>
      <NetworkOrders network={network} status={status} kind={kind} token={readToken(query.token)} limit={25} />
    </>
  )
}
