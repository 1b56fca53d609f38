import type { Network } from '../../networks/NetworksProvider.tsx'
import { formatExact } from '../../ui/formatExact.ts'
import type { Order } from '../loading/loadOrder.ts'

type Decimals = { sell: number; buy: number }
type Terms = Pick<Order, 'kind' | 'sellToken' | 'buyToken' | 'sellAmount' | 'buyAmount' | 'partiallyFillable'>

/**
 * Link of the trade page that replaces an open order with new terms.
 * @param price its own, buy tokens per sell token
 */
export const toEdit = (
  network: Pick<Network, 'name'>,
  order: Terms & { uid: string },
  decimals: Decimals,
  price: string,
): string => `${toTradeAgain(network, order, decimals, price)}&replaces=${order.uid}`

/**
 * Link of the trade page with the terms of an order.
 * @param price null: at the current market price; otherwise a limit order at this price, buy tokens per sell token
 */
export const toTradeAgain = (
  { name }: Pick<Network, 'name'>,
  { kind, sellToken, buyToken, sellAmount, buyAmount, partiallyFillable }: Terms,
  decimals: Decimals,
  price: string | null,
): string => {
  const amount = kind === 'sell' ? formatExact(sellAmount, decimals.sell) : formatExact(buyAmount, decimals.buy)
  const query = new URLSearchParams({ network: name, sell: sellToken, buy: buyToken, kind, amount })
  if (price !== null) {
    query.set('type', 'limit')
    query.set('price', price)
    if (partiallyFillable) query.set('partial', '1')
  }
  return `/?${query}`
}
