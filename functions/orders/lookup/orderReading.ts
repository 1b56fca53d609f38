import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import type { OrderAppData } from '#shared/orders/orderResponse.ts'

/** Dependencies of routes that return orders. */
export type OrderReading = NetworkDatabase & {
  /** Unix milliseconds */
  now: () => number
  orderAppData?: OrderAppData
}
