import { expect, test } from 'vitest'
import type { ExecutedOrder } from '../amounts/computeSurplus.ts'
import { computeFreeLimit } from './computeFreeLimit.ts'
import type { QuotedAmounts } from './feePolicy.ts'

const sell: ExecutedOrder = { kind: 'sell', limitSell: 100n, limitBuy: 201n, executedSell: 33n, executedBuy: 90n }
const buy: ExecutedOrder = { ...sell, kind: 'buy', executedBuy: 67n }

test.each<[what: string, order: ExecutedOrder, quote: QuotedAmounts | undefined, limit: bigint]>([
  // ⌈33 · 201 / 100⌉
  ['the signed limit of a sell order, rounded up', sell, undefined, 67n],
  // ⌊100 · 67 / 201⌋
  ['the signed limit of a buy order, rounded down', buy, undefined, 33n],
  ['the signed limit for a quote of nothing, sell', sell, { sellAmount: 0n, buyAmount: 0n, fee: 0n }, 67n],
  ['the signed limit for a quote of nothing, buy', buy, { sellAmount: 0n, buyAmount: 0n, fee: 0n }, 33n],
  ['the signed limit for a quote that its fee consumes', sell, { sellAmount: 9n, buyAmount: 900n, fee: 9n }, 67n],
  // (900 − ⌊8 · 900 / 9⌋) · 100 / 9 = 1111
  ['the quote of which its fee leaves an atom', sell, { sellAmount: 9n, buyAmount: 900n, fee: 8n }, 367n],
  // 300 − ⌊1 · 300 / 100⌋ = 297, ⌈33 · 297 / 100⌉
  ['a better quote after its network fee, sell', sell, { sellAmount: 100n, buyAmount: 300n, fee: 1n }, 99n],
  ['the signed limit where the quote is worse, sell', sell, { sellAmount: 100n, buyAmount: 200n, fee: 0n }, 67n],
  // ⌊(60 + 2) · 201 / 201⌋ = 62, ⌊62 · 67 / 201⌋
  ['a better quote with its network fee, buy', buy, { sellAmount: 60n, buyAmount: 201n, fee: 2n }, 20n],
  ['the signed limit where the quote is worse, buy', buy, { sellAmount: 99n, buyAmount: 201n, fee: 2n }, 33n],
])('is %s', (_, order, quote, limit) => {
  expect(computeFreeLimit(order, quote)).toBe(limit)
})

test('rejects an order whose exact side is zero', () => {
  expect(() => computeFreeLimit({ ...sell, limitSell: 0n })).toThrow(RangeError)
  expect(() => computeFreeLimit({ ...buy, limitBuy: 0n })).toThrow(RangeError)
})
