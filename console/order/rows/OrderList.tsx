import type { Balances } from '../../actions/balances.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import type { Order } from '../loading/loadOrder.ts'
import { OrderRow, type RenderAction } from './OrderRow.tsx'

type Props = {
  network: Network
  orders: readonly Order[]
  /** of the orders' owner; undefined: unknown */
  balances?: Balances | undefined
  renderAction?: RenderAction
  /** of the tokens of open orders */
  prices?: UsdPrices | undefined
}

/** Orders of one network. */
export const OrderList = ({ network, orders, balances, renderAction, prices }: Props) => (
  <ul class="order-rows" aria-label="Orders">
    {orders.map((order) => (
      <OrderRow
        key={order.uid}
        network={network}
        order={order}
        holding={balances?.get(order.sellToken)}
        renderAction={renderAction}
        prices={prices}
      />
    ))}
  </ul>
)
