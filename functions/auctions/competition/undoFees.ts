import type { ExecutedOrder } from '#shared/amounts/computeSurplus.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { checkUint256 } from '#shared/amounts/uint256.ts'
import { computeFreeLimit } from '#shared/fees/computeFreeLimit.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import { scaledWhole, toScaledFactor } from '#shared/fees/toScaledFactor.ts'

/** The fees of an order, and its amounts without them. */
export interface UndoneFees {
  /** sell token atoms before protocol fees; unchanged for a sell order */
  executedSell: bigint
  /** buy token atoms before protocol fees; unchanged for a buy order */
  executedBuy: bigint
  /** one per policy, in the order of application: buy token atoms (sell order) or sell token atoms (buy order) */
  fees: bigint[]
}

/**
 * Reconstructs the protocol fees in executed amounts: undoes the policies in reverse order, each on the amounts before all
 * fees undone so far. With factor f and the amount that moves, after the fee:
 *     volume             sell: ⌊ bought · f / (1 − f) ⌋    buy: ⌊ sold · f / (1 + f) ⌋
 *     surplus            min(⌊ gain · f / (1 − f) ⌋, volume fee of maxVolumeFactor), gain over the signed limit
 *     price improvement  the same with the gain over the quote; a negative gain counts as 0
 * The factor in each is a fixed-point number, see `toScaledFactor`; every fee is rounded down. `chargeFees` is its inverse.
 * @param order its executed amounts are those at the owner's wallet, all fees included
 * @param policies in the order of application
 * @throws RangeError when an amount is not a uint256, or the exact side of the limit is zero
 */
export const undoFees = (order: ExecutedOrder, policies: readonly FeePolicy[]): UndoneFees => {
  let { executedSell, executedBuy } = order
  const fees: bigint[] = []
  for (const policy of policies.toReversed()) {
    const fee = undoFee({ ...order, executedSell, executedBuy }, policy)
    fees.unshift(fee)
    if (order.kind === 'sell') executedBuy = checkUint256(executedBuy + fee, 'bought before fees')
    else executedSell -= fee
  }
  return { executedSell, executedBuy, fees }
}

const undoFee = (order: ExecutedOrder, policy: FeePolicy): bigint => {
  if (policy.kind === 'volume') return undoVolumeFee(order, policy.factor)
  const limit = computeFreeLimit(order, policy.kind === 'priceImprovement' ? policy.quote : undefined)
  const gain = order.kind === 'sell' ? order.executedBuy - limit : limit - order.executedSell
  if (gain <= 0n) return 0n
  const share = (gain * toScaledFactor(policy.factor / (1 - policy.factor))) / scaledWhole
  return minOf(share, undoVolumeFee(order, policy.maxVolumeFactor))
}

const undoVolumeFee = ({ kind, executedSell, executedBuy }: ExecutedOrder, factor: number): bigint =>
  kind === 'sell'
    ? (executedBuy * toScaledFactor(factor / (1 - factor))) / scaledWhole
    : (executedSell * toScaledFactor(factor / (1 + factor))) / scaledWhole
