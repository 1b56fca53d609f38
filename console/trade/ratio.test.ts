import { describe, expect, test } from 'vitest'
import { computePrice, formatRatio, invert, parseRatio } from './ratio.ts'

describe('parseRatio', () => {
  test('is exact', () => {
    expect(parseRatio('0.25')).toEqual({ numerator: 25n, denominator: 100n })
    expect(parseRatio('3000')).toEqual({ numerator: 3_000n, denominator: 1n })
    expect(parseRatio('.5')).toEqual({ numerator: 5n, denominator: 10n })
  })

  test.each(['', '0', '0.0', '-1', '1e3', '1,5', 'a', '.'])('refuses %s', (text) => {
    expect(parseRatio(text)).toBeUndefined()
  })
})

describe('computePrice', () => {
  const price = computePrice({ sellAmount: 10n ** 18n, buyAmount: 2_954_123_456n }, { sell: 18, buy: 6 })

  test('is in whole tokens, both ways', () => {
    expect(formatRatio(price)).toBe('2,954.12')
    expect(formatRatio(price, 12)).toBe('2,954.123456')
    expect(formatRatio(invert(price))).toBe('0.000338509')
  })
})
