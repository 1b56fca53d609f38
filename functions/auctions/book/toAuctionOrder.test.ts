import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { computeFreeLimit } from '#shared/fees/computeFreeLimit.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { toAuctionOrder } from './toAuctionOrder.ts'
import { toQuotedAmounts } from './toQuotedAmounts.ts'

const solver = `0x${'50'.repeat(20)}` as const
const quote = { sellAmount: 1_000n, buyAmount: 2_000n, feeAmount: 100n, solver }
const toCandidate = (changes: object) =>
  ({ order: { ...filledOrder, ...changes }, quote, settlementFailures: null }) as unknown as Candidate

test('an order that signs a fee is one of the market, with its fee and its quote', () => {
  const signed = toAuctionOrder(toCandidate({ sellAmount: 900n, feeAmount: 100n }), [])
  expect(signed).toMatchObject({ class: 'market', sellAmount: '900', feeAmount: '100', quote: { fee: '100', solver } })
  expect(toAuctionOrder(toCandidate({}), [])).toMatchObject({ class: 'limit', feeAmount: '0', quote: { fee: '100' } })
})

test('a fee on price improvement names the solver of its quote, which public drivers require', () => {
  const fee = { kind: 'priceImprovement', factor: 0.5, maxVolumeFactor: 0.01 } as const
  const candidate = toCandidate({})
  const { protocolFees } = toAuctionOrder(candidate, [{ ...fee, quote: toQuotedAmounts(candidate) }])
  const unquoted = { ...candidate, quote: null }
  const without = toAuctionOrder(unquoted, [{ ...fee, quote: toQuotedAmounts(unquoted) }])
  expect(protocolFees).toMatchObject([{ priceImprovement: { quote: { fee: '100', solver } } }])
  expect(without.protocolFees).toMatchObject([{ priceImprovement: { quote: { buyAmount: '0', solver: zeroAddress } } }])
})

test('the price of a quote is better by the fee that an order pays beside it', () => {
  const limits = { kind: 'sell', limitSell: 900n, limitBuy: 1n, executedSell: 900n, executedBuy: 1_800n } as const
  // 900 at 2,000 for 1,000; with the fee in the price one in ten less
  expect(computeFreeLimit(limits, toQuotedAmounts(toCandidate({ feeAmount: 100n })))).toBe(1_800n)
  expect(computeFreeLimit(limits, toQuotedAmounts(toCandidate({})))).toBe(1_620n)
})
