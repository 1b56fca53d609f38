import { expect, test } from 'vitest'
import { affiliateSchema, toAffiliateResponse } from './affiliateResponse.ts'

const affiliate = {
  walletAddress: `0x${'0a'.repeat(20)}`,
  code: 'CODE',
  signedMessage: '0x11',
  signedMessageHash: `0x${'22'.repeat(32)}`,
  disabledAt: null,
  createdAt: new Date('2026-11-01T10:00:00Z'),
  rewardAmount: 1,
  triggerVolume: 2,
  timeCapDays: 3,
  volumeCap: 4,
  revenueSplitAffiliatePct: 50,
  revenueSplitTraderPct: 30,
  revenueSplitDaoPct: 20,
} as const

test('has the code and its terms, but neither the wallet nor its signature', () => {
  const response = toAffiliateResponse(affiliate)
  expect(response).toEqual({
    code: 'CODE',
    createdAt: '2026-11-01T10:00:00.000Z',
    rewardAmount: 1,
    triggerVolume: 2,
    timeCapDays: 3,
    volumeCap: 4,
    revenueSplitAffiliatePct: 50,
    revenueSplitTraderPct: 30,
    revenueSplitDaoPct: 20,
  })
  expect(affiliateSchema.parse(response)).toEqual(response)
})

test.each(['revenueSplitAffiliatePct', 'revenueSplitTraderPct', 'revenueSplitDaoPct'])(
  '%s is a percentage from 0 to 100',
  (name) => {
    const accepts = (value: number) =>
      affiliateSchema.safeParse({ ...toAffiliateResponse(affiliate), [name]: value }).success
    expect([-0.01, 0, 0.5, 100, 100.01].map(accepts)).toEqual([false, true, true, true, false])
  },
)
