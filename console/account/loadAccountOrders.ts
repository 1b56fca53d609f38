import { toApiFailure } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import type { Order } from '../order/loading/loadOrder.ts'
import { type AccountFilter, toOrderQuery } from './accountFilter.ts'

export const ordersOfPage = 25

export type OrdersPage = {
  orders: Order[]
  /** cursor of the next page with older orders; null on the last page */
  next: string | null
}

/** An account on a network. */
export type AccountOf = { network: NetworkName; owner: string }

/**
 * One page of an account's orders, newest first; every page costs the same. Without a filter, orders that anyone can
 * have submitted come last; with a filter, only under their own state.
 * @param cursor last order of the previous page
 * @throws ApiFailure
 */
export const loadAccountOrders = async (
  { network, owner }: AccountOf,
  filter: AccountFilter,
  { cursor, limit = ordersOfPage }: { cursor: string | undefined; limit?: number },
  signal: AbortSignal,
): Promise<OrdersPage> => {
  const page = { limit, ...(cursor === undefined ? {} : { cursor }) }
  const terms = toOrderQuery(filter)
  const { data, error, response } =
    Object.keys(terms).length === 0
      ? await client.GET('/{network}/api/v1/account/{owner}/orders', {
          params: { path: { network, owner }, query: page },
          signal,
        })
      : await client.GET('/{network}/api/v1/explorer/orders', {
          params: { path: { network }, query: { ...page, ...terms, owner } },
          signal,
        })
  if (!data) throw toApiFailure(error, response)
  return { orders: data, next: response.headers.get('X-Next-Cursor') }
}
