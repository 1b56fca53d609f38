import type { FeeRules } from '#shared/fees/feeRules.ts'

export const noFees: FeeRules = { policies: [], buckets: [], maxPartnerPpm: 10_000n }

/**
 * A fee on the volume of every order, as a share.
 * @param from Unix seconds
 */
export const volumeFee = (factor: number, from = 0): FeeRules => ({
  ...noFees,
  policies: [{ kind: 'volume', orderClass: 'any', factor, maxVolumeFactor: 0, from, until: Number.POSITIVE_INFINITY }],
})
