/** @returns sell token atoms that an order's owner must have and approve: any at all when it may be filled in parts */
export const computeNeeded = (order: { partiallyFillable: boolean; sellAmount: bigint; feeAmount: bigint }): bigint =>
  order.partiallyFillable ? 1n : order.sellAmount + order.feeAmount
