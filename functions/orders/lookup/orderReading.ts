import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import type { OrderAppData } from '#shared/orders/orderResponse.ts'

/** What routes take that return orders. */
export type OrderReading = NetworkDatabase & {
  /** Unix milliseconds */
  now: () => number
  orderAppData?: OrderAppData
}
