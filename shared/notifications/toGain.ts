import type { ToAmount } from './metadataShapes.ts'

/** A gain and its share of a base; a loss counts as 0. */
export const toGain = (toAmount: ToAmount, gain: bigint, base: bigint) => {
  const amount = atLeastZero(gain)
  return { ...toAmount(amount), bps: toBps(amount, base) }
}

/** Rounded down; 0 for an empty whole, capped at the largest safe integer. */
export const toBps = (part: bigint, whole: bigint): number => {
  if (whole <= 0n) return 0
  const bps = (part * 10_000n) / whole
  return bps > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(bps)
}

/** The amount, or 0 for a negative one. */
export const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)
