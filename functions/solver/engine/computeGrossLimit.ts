import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import { computeFreeLimit } from '#shared/fees/computeFreeLimit.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import { scaledWhole, toScaledFactor } from '#shared/fees/toScaledFactor.ts'

/** Signed amounts of an order and the part of it that can be traded, atoms. */
export type AvailableOrder = {
  kind: 'sell' | 'buy'
  limitSell: bigint
  limitBuy: bigint
  availableSell: bigint
  availableBuy: bigint
}

/**
 * The limit that an engine must reach so that the signed limit holds after protocol fees: the inverse of `chargeFees`, from the
 * last policy to the first. Fees on a gain never cross the limit by themselves, a volume fee and policies before it do.
 * @returns the least to buy (sell order, buy token atoms) or the most to sell (buy order, sell token atoms)
 * @throws RangeError when the exact side of the limit is zero
 */
export const computeGrossLimit = (order: AvailableOrder, policies: readonly FeePolicy[]): bigint => {
  const { kind, limitSell, limitBuy, availableSell: executedSell, availableBuy: executedBuy } = order
  const sign = kind === 'sell' ? 1n : -1n
  const addFee = (net: bigint, base: bigint, ratio: number) =>
    net + (sign * (base * toScaledFactor(ratio))) / scaledWhole
  const addVolumeFee = (net: bigint, factor: number) =>
    addFee(net, net, kind === 'sell' ? factor / (1 - factor) : factor / (1 + factor))
  return policies.reduceRight(
    (net, policy) => {
      if (policy.kind === 'volume') return addVolumeFee(net, policy.factor)
      const quote = policy.kind === 'priceImprovement' ? policy.quote : undefined
      const free = computeFreeLimit({ kind, limitSell, limitBuy, executedSell, executedBuy }, quote)
      const gain = sign * (net - free)
      if (gain <= 0n) return net
      const withShare = addFee(net, gain, policy.factor / (1 - policy.factor))
      const withVolumeFee = addVolumeFee(net, policy.maxVolumeFactor)
      return kind === 'sell' ? minOf(withShare, withVolumeFee) : maxOf(withShare, withVolumeFee)
    },
    kind === 'sell' ? executedBuy : executedSell,
  )
}
