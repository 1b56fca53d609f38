import { notInArray } from 'drizzle-orm'
import { orderEvents } from '../../tables/orders/orderEvents.ts'

/** Labels that do not describe progress through the auctions. */
const remarks = ['expired', 'undone'] as const

export type OrderEventLabel = (typeof orderEvents.$inferSelect)['label']
/** Labels that describe progress. */
export type ProgressLabel = Exclude<OrderEventLabel, (typeof remarks)[number]>

export const isProgressEvent = notInArray(orderEvents.label, [...remarks])

export const isProgressLabel = (label: OrderEventLabel): label is ProgressLabel =>
  !remarks.some((remark) => remark === label)
