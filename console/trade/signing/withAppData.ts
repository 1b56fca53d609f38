import { type OrderTypedData, toAppDataHash } from './buildOrder.ts'

/** The order with another document. */
export const withAppData = (order: OrderTypedData, document: string): OrderTypedData => ({
  ...order,
  message: { ...order.message, appData: toAppDataHash(document) },
})
