/** Loss above which an order cannot be signed until the settings allow it, as a share of the value. */
export const maxLossShare = 0.2

/** The largest loss that a trader has accepted, and the terms that it was accepted for. */
export type AcceptedLoss = { terms: string; share: number }

/** A loss that grew by less than this with the market needs no second acceptance. */
const tolerance = 0.01

/** `accept`: the loss is accepted in a step of its own; `refuse`: only the settings lift the cap. */
export type LossGuard = 'none' | 'accept' | 'refuse'

/**
 * @param share the largest possible loss of the order; 0 below the warning
 * @param terms of the order
 */
export const findLossGuard = (
  share: number,
  terms: string,
  { accepted, isUncapped }: { accepted: AcceptedLoss | null; isUncapped: boolean },
): LossGuard => {
  if (share === 0) return 'none'
  if (share > maxLossShare && !isUncapped) return 'refuse'
  return accepted?.terms === terms && share <= accepted.share + tolerance ? 'none' : 'accept'
}
