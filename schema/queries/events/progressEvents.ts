import { notInArray } from 'drizzle-orm'
import type { orderEventLabels } from '../../tables/enums.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'

/** Labels that do not describe progress through the auctions. */
const remarks = ['expired', 'undone'] as const

export type OrderEventLabel = (typeof orderEventLabels)[number]
/** Labels that describe progress. */
export type ProgressLabel = Exclude<OrderEventLabel, (typeof remarks)[number]>

export const isProgressEvent = notInArray(orderEvents.label, [...remarks])

export const isProgressLabel = (label: OrderEventLabel): label is ProgressLabel =>
  !remarks.some((remark) => remark === label)
