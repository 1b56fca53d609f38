import type { OrderStatus } from '#shared/orders/computeOrderStatus.ts'

/** Whether an order can still be filled, hence change. */
export const isLive = (status: OrderStatus): boolean => status === 'open' || status === 'presignaturePending'
