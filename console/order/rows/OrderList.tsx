import type { Balances } from '../../actions/balances.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order } from '../loading/loadOrder.ts'
import { OrderRow, type RenderAction } from './OrderRow.tsx'

type Props = {
  network: Network
  orders: readonly Order[]
  /** of the orders' owner; undefined: unknown */
  balances?: Balances | undefined
  renderAction?: RenderAction
}

/** Orders of one network. */
export const OrderList = ({ network, orders, balances, renderAction }: Props) => (
  <ul class="order-rows" aria-label="Orders">
    {orders.map((order) => (
      <OrderRow
        key={order.uid}
        network={network}
        order={order}
        holding={balances?.get(order.sellToken)}
        renderAction={renderAction}
      />
    ))}
  </ul>
)
