/**
 * Names of the notification types, in the order of the database's enum: append new ones. `notificationDeclarations` has the
 * rest of each; Workers that only store or filter notifications do not carry it.
 */
const names = [
  'order_filled',
  'order_partially_filled',
  'order_expired',
  'order_cancelled',
  'insufficient_balance',
  'price_improvement',
  'conditional_order_ended',
] as const

export type NotificationType = (typeof names)[number]

export const notificationTypes = [...names] as [NotificationType, ...NotificationType[]]
