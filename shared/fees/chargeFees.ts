import type { ExecutedOrder } from '../amounts/computeSurplus.ts'
import { maxOf, minOf } from '../amounts/minMax.ts'
import { checkUint256 } from '../amounts/uint256.ts'
import { computeFreeLimit } from './computeFreeLimit.ts'
import type { FeePolicy } from './feePolicy.ts'
import { scaledWhole, toScaledFactor } from './toScaledFactor.ts'

/** Executed amounts of an order after fees. */
export interface ChargedFees {
  /** sell token atoms that leave the owner; unchanged for a sell order */
  executedSell: bigint
  /** buy token atoms that reach the receiver; unchanged for a buy order */
  executedBuy: bigint
  /** fee of each policy, in the order of application: buy token atoms (sell order) or sell token atoms (buy order) */
  fees: bigint[]
}

/**
 * Takes protocol fees from executed amounts, one policy after the other: a sell order buys less, a buy order sells more.
 *
 * The order gets the best amounts from which `undoFees` reconstructs no more than was taken: every fee that
 * the auction counts was taken. A buy order's volume fee is reconstructed fully, other fees up to 1 + ⌈f / (1 − f)⌉ atoms less,
 * f the largest factor. Fees on a gain never cross the limit that the gain is measured from; a volume fee may cross it.
 * Such an order cannot be settled; callers detect it by the negative `computeSurplus` of the result.
 * @param order its executed amounts are those at the owner's wallet without protocol fees, network fee included
 * @param policies in the order of application
 * @throws RangeError when an amount is not a uint256, or the exact side of the limit is zero
 */
export const chargeFees = (order: ExecutedOrder, policies: readonly FeePolicy[]): ChargedFees => {
  let { executedSell, executedBuy } = order
  const fees: bigint[] = []
  for (const policy of policies) {
    const current = { ...order, executedSell, executedBuy }
    if (order.kind === 'sell') executedBuy = chargeSellOrder(current, policy)
    else executedSell = checkUint256(chargeBuyOrder(current, policy), 'sold after fees')
    fees.push(current.executedBuy - executedBuy + executedSell - current.executedSell)
  }
  return { executedSell, executedBuy, fees }
}

/** @returns the most it can buy: the largest amount that, with the fee reconstructed from it, is at most what it bought */
const chargeSellOrder = (order: ExecutedOrder, policy: FeePolicy): bigint => {
  const bought = order.executedBuy
  const afterVolumeFee = (factor: number) => splitOff(bought, factor / (1 - factor))
  if (policy.kind === 'volume') return afterVolumeFee(policy.factor)
  const limit = computeFreeLimit(order, policy.kind === 'priceImprovement' ? policy.quote : undefined)
  if (bought <= limit) return bought
  const afterShare = limit + splitOff(bought - limit, policy.factor / (1 - policy.factor))
  return maxOf(afterShare, afterVolumeFee(policy.maxVolumeFactor))
}

/** @returns the least it can sell: the smallest amount that, less the fee reconstructed from it, is at least what it sold */
const chargeBuyOrder = (order: ExecutedOrder, policy: FeePolicy): bigint => {
  const sold = order.executedSell
  const afterVolumeFee = (factor: number) => grossUp(sold, factor / (1 + factor))
  if (policy.kind === 'volume') return afterVolumeFee(policy.factor)
  const limit = computeFreeLimit(order, policy.kind === 'priceImprovement' ? policy.quote : undefined)
  if (sold >= limit) return sold
  const afterShare = limit - splitOff(limit - sold, policy.factor / (1 - policy.factor))
  return minOf(afterShare, afterVolumeFee(policy.maxVolumeFactor))
}

/** The largest x with x + ⌊ x · factor ⌋ ≤ total. */
const splitOff = (total: bigint, factor: number): bigint =>
  ((total + 1n) * scaledWhole - 1n) / (scaledWhole + toScaledFactor(factor))

/** The smallest x with x − ⌊ x · factor ⌋ ≥ net. */
const grossUp = (net: bigint, factor: number): bigint =>
  net === 0n ? 0n : ((net - 1n) * scaledWhole) / (scaledWhole - toScaledFactor(factor)) + 1n
