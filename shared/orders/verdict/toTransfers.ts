import { maxUint256 } from '../../amounts/uint256.ts'

/** For a token that moves no single atom, as one that rounds, or none that is not a multiple. */
const smallAmounts = [1n, 10n, 100n]

/**
 * Amounts to try to move for an order, sell token atoms; the first that moves counts. An order that may be filled in parts needs
 * only one of them.
 */
export const toTransfers = ({
  sellAmount,
  feeAmount,
  partiallyFillable,
}: {
  sellAmount: bigint
  feeAmount: bigint
  partiallyFillable: boolean
}): bigint[] => {
  const amount = sellAmount + feeAmount
  if (amount > maxUint256) return []
  return partiallyFillable ? [amount, ...smallAmounts.filter((small) => small < amount)] : [amount]
}
