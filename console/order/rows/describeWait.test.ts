import { expect, test } from 'vitest'
import { describeWait } from './describeWait.ts'

const [sell, buy] = [
  { decimals: 18, usd: 3_000 },
  { decimals: 6, usd: 1 },
]
const of = (buyAmount: number) => ({ sellAmount: String(10n ** 18n), buyAmount: String(buyAmount * 1e6) })

test.each([
  [3_300, 'waits for the price: +10.00 % away'],
  [3_002, 'at the market price: waits for the next auction'],
  [2_000, 'at the market price: waits for the next auction'],
])('an order for %d USDC per WETH at 3,000 %s', (amount, text) => {
  expect(describeWait(of(amount), sell, buy)).toBe(text)
})

test('without a price nothing is stated', () => {
  expect(describeWait(of(3_000), sell, { ...buy, usd: undefined })).toBeUndefined()
  expect(describeWait({ sellAmount: '0', buyAmount: '1' }, sell, buy)).toBeUndefined()
})
