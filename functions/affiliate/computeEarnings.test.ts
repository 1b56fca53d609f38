import { expect, test } from 'vitest'
import { computeEarnings, computeRewardShare } from './computeEarnings.ts'

const dollars = (amount: number) => BigInt(Math.round(amount * 1_000_000))
const terms = { triggerVolume: 250_000, rewardAmount: 20, sharePct: 50 }

test.each<[string, Partial<typeof terms>, number, number, object]>([
  ['nothing yet', {}, 0, 0, { totalEarned: 0, leftToNextReward: 250_000, nextPayout: 0 }],
  ['a millionth too little', {}, 249_999.999999, 0, { totalEarned: 0, leftToNextReward: 0.000001 }],
  ['exactly one step: the next one is whole', {}, 250_000, 0, { totalEarned: 10, leftToNextReward: 250_000 }],
  ['three steps and a part', {}, 800_000, 0, { totalEarned: 30, leftToNextReward: 200_000, nextPayout: 30 }],
  ['a part is paid', {}, 800_000, 12.5, { totalEarned: 30, paidOut: 12.5, nextPayout: 17.5 }],
  ['more is paid than earned', {}, 250_000, 12, { totalEarned: 10, paidOut: 12, nextPayout: 0 }],
  ['a third of two', { rewardAmount: 2, triggerVolume: 10, sharePct: 33 }, 10, 0, { totalEarned: 0.66 }],
  ['values without an exact binary fraction', { triggerVolume: 0.1, sharePct: 100 }, 0.3, 0, { totalEarned: 60 }],
  ['a share of zero', { sharePct: 0 }, 1e9, 0, { totalEarned: 0, nextPayout: 0 }],
])('%s', (_, changes, volume, paid, expected) => {
  expect(computeEarnings({ ...terms, ...changes }, dollars(volume), dollars(paid))).toMatchObject(expected)
})

test.each([
  [{ rewardAmount: 2, sharePct: 33 }, 0.66],
  [{ rewardAmount: 1.1, sharePct: 33 }, 0.363],
  [{ rewardAmount: 0.1, sharePct: 33.3333 }, 0.033333],
])('the share of one reward equals its earnings: %j', (reward, share) => {
  expect(computeRewardShare(reward)).toBe(share)
  expect(computeEarnings({ ...terms, ...reward }, dollars(terms.triggerVolume), 0n).totalEarned).toBe(share)
})
