import { expect, it } from 'vitest'
import { toHumanPrice } from './toHumanPrice.ts'

it.each([
  ['0.0000000025', { sell: 18, buy: 6 }, '2,500'],
  ['3150', { sell: 18, buy: 18 }, '3,150'],
  ['1.5', { sell: 18, buy: 18 }, '1.5'],
  ['400000000', { sell: 6, buy: 18 }, '0.0004'],
  ['2', { sell: 18, buy: 6 }, '2,000,000,000,000'],
])('converts %s for the decimals %j to %s', (price, decimals, text) => {
  expect(toHumanPrice(price, decimals)).toBe(text)
})
