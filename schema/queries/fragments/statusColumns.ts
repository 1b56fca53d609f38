import { orders } from '../../tables/orders/orders.ts'

/** What the status of an order follows from. */
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

/** An order as far as its status needs it. */
export type OrderState = Pick<typeof orders.$inferSelect, keyof typeof statusColumns>
