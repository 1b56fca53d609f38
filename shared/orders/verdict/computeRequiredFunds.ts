/**
 * What an order's owner must have and approve: all of a fill-or-kill order, any part of one that may be filled in parts.
 * @param isWhole also all of one that may be filled in parts (`fullBalanceCheck`)
 * @returns sell token atoms
 */
export const computeRequiredFunds = (
  order: { partiallyFillable: boolean; sellAmount: bigint; feeAmount: bigint },
  isWhole = false,
): bigint => (order.partiallyFillable && !isWhole ? 1n : order.sellAmount + order.feeAmount)
