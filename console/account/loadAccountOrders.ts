import { toApiFailure } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import type { Order } from '../order/loading/loadOrder.ts'

export const ordersOfPage = 25

export type OrdersPage = {
  orders: Order[]
  /** of the page after it, with older orders; null: this is the last one */
  next: string | null
}

/**
 * One page of an account's orders, newest first. Every page costs the same, wherever it is.
 * @param cursor last order of the page before
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
