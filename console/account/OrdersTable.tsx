import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import type { Order } from '../order/loading/loadOrder.ts'
import { computeFilledShare } from '../order/state/computeFilledShare.ts'
import { isPartlyFilled } from '../order/state/describeState.ts'
import { StatusBadge } from '../order/state/StatusBadge.tsx'
import { OrderTerms } from '../order/terms/OrderTerms.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { formatShare } from '../ui/formatShare.ts'
import { HexText } from '../ui/HexText.tsx'
import { TimeText } from '../ui/TimeText.tsx'

/** Orders of one network, one row each. */
export const OrdersTable = ({ network, orders }: { network: Network; orders: readonly Order[] }) => {
  const columns: Column<Order>[] = [
    {
      name: 'Order',
      render: (order) => (
        <a href={paths.order(network.name, order.uid)}>
          <OrderTerms network={network} order={order} />
        </a>
      ),
    },
    {
      name: 'Status',
      render: (order) => <StatusBadge status={order.status} isPartlyFilled={isPartlyFilled(order)} />,
    },
    { name: 'Filled', isNumeric: true, render: toFilled },
    { name: 'Created', render: ({ creationDate }) => <TimeText time={creationDate} /> },
    {
      name: 'UID',
      render: ({ uid }) => <HexText value={uid} label="order UID" href={paths.order(network.name, uid)} />,
    },
  ]
  return <DataTable caption="Orders" columns={columns} rows={orders} keyOf={({ uid }) => uid} />
}

const toFilled = (order: Order): string => {
  const { filled, of } = computeFilledShare(order)
  return formatShare(filled, of) ?? '0 %'
}
