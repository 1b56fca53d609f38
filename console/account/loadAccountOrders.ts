import { toApiFailure } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import type { Order } from '../order/loading/loadOrder.ts'

export const ordersOfPage = 25

export type OrdersPage = {
  orders: Order[]
  /** cursor of the next page with older orders; null on the last page */
  next: string | null
}

/**
 * One page of an account's orders, newest first; every page costs the same.
 * @param cursor last order of the previous page
 * @throws ApiFailure
 */
export const loadAccountOrders = async (
  network: NetworkName,
  owner: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<OrdersPage> => {
  const query = { limit: ordersOfPage, ...(cursor === undefined ? {} : { cursor }) }
  const { data, error, response } = await client.GET('/{network}/api/v1/account/{owner}/orders', {
    params: { path: { network, owner }, query },
    signal,
  })
  if (!data) throw toApiFailure(error, response)
  return { orders: data, next: response.headers.get('X-Next-Cursor') }
}
