/** Decimals of US dollar amounts. */
const precision = 6
const millionth = 10 ** precision

export type EarningTerms = {
  /** US dollars of volume for one reward */
  triggerVolume: number
  /** US dollars, the full reward */
  rewardAmount: number
  /** percent of the reward that the wallet gets */
  sharePct: number
}

/** US dollars. */
export type Earnings = {
  triggerVolume: number
  /** volume missing to the next reward; a full trigger volume right after one */
  leftToNextReward: number
  totalEarned: number
  paidOut: number
  /** never negative: overpayments count towards later rewards */
  nextPayout: number
}

/**
 * Rewards are earned in full steps; remaining volume counts towards the next one:
 *     earned = ⌊ volume / trigger volume ⌋ · reward · share, rounded down to a millionth of a dollar
 * @param volume millionths of a US dollar
 * @param paid millionths of a US dollar
 */
export const computeEarnings = (
  { triggerVolume, rewardAmount, sharePct }: EarningTerms,
  volume: bigint,
  paid: bigint,
): Earnings => {
  const trigger = toMillionths(triggerVolume)
  const earned = computeShares(volume / trigger, { rewardAmount, sharePct })
  return {
    triggerVolume,
    leftToNextReward: toDollars(trigger - (volume % trigger)),
    totalEarned: toDollars(earned),
    paidOut: toDollars(paid),
    nextPayout: toDollars(earned > paid ? earned - paid : 0n),
  }
}

/** A wallet's share of one reward: US dollars, rounded down to a millionth. */
export const computeRewardShare = (terms: Pick<EarningTerms, 'rewardAmount' | 'sharePct'>): number =>
  toDollars(computeShares(1n, terms))

/** Millionths of a US dollar. */
const computeShares = (
  rewards: bigint,
  { rewardAmount, sharePct }: Pick<EarningTerms, 'rewardAmount' | 'sharePct'>,
): bigint => (rewards * toMillionths(rewardAmount) * toMillionths(sharePct)) / (100n * BigInt(millionth))

export const toDollars = (millionths: bigint): number => Number(millionths) / millionth

const toMillionths = (amount: number): bigint => BigInt(Math.round(amount * millionth))
