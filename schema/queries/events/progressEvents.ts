import { notInArray } from 'drizzle-orm'
import { orderEvents } from '../../tables/orders/orderEvents.ts'

/** What says nothing about where an order is on its way through the auctions. */
const remarks = ['expired', 'undone'] as const

export type OrderEventLabel = (typeof orderEvents.$inferSelect)['label']
/** Labels of events that say where an order is. */
export type ProgressLabel = Exclude<OrderEventLabel, (typeof remarks)[number]>

export const isProgressEvent = notInArray(orderEvents.label, [...remarks])

export const isProgressLabel = (label: OrderEventLabel): label is ProgressLabel =>
  !remarks.some((remark) => remark === label)
