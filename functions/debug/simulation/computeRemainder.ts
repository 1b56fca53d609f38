import type { StoredOrder } from '#shared/orders/storedOrder.ts'

/**
 * Unfilled part of an order with the rest of its signed fee; rounded up, so that neither side is 0 while anything is
 * left.
 */
export type Remainder = { sellAmount: bigint; buyAmount: bigint; feeAmount: bigint }

/** @param stored null: nothing is filled */
export const computeRemainder = (
  { kind, sellAmount, buyAmount, feeAmount }: Pick<StoredOrder, 'kind' | 'sellAmount' | 'buyAmount' | 'feeAmount'>,
  stored: Pick<StoredOrder, 'executedSellAmount' | 'executedBuyAmount' | 'executedFeeAmount'> | null,
): Remainder => {
  const [exact, executed] =
    kind === 'sell'
      ? [sellAmount, (stored?.executedSellAmount ?? 0n) - (stored?.executedFeeAmount ?? 0n)]
      : [buyAmount, stored?.executedBuyAmount ?? 0n]
  if (exact === 0n) return { sellAmount, buyAmount, feeAmount }
  const share = (amount: bigint) => (amount * (exact - executed) + exact - 1n) / exact
  return { sellAmount: share(sellAmount), buyAmount: share(buyAmount), feeAmount: share(feeAmount) }
}
