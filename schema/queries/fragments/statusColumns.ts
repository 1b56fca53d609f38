import { orders } from '../../tables/orders/orders.ts'

/** Columns that determine an order's status. */
export const statusColumns = {
  uid: orders.uid,
  createdAt: orders.createdAt,
  kind: orders.kind,
  sellAmount: orders.sellAmount,
  buyAmount: orders.buyAmount,
  validTo: orders.validTo,
  userValidTo: orders.userValidTo,
  signingScheme: orders.signingScheme,
  cancelledAt: orders.cancelledAt,
  invalidated: orders.invalidated,
  presigned: orders.presigned,
  placementError: orders.placementError,
  executedSellAmount: orders.executedSellAmount,
  executedBuyAmount: orders.executedBuyAmount,
  executedFeeAmount: orders.executedFeeAmount,
}

/** The fields of an order that determine its status. */
export type OrderState = Pick<typeof orders.$inferSelect, keyof typeof statusColumns>
