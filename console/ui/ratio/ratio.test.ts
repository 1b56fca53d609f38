import { describe, expect, test } from 'vitest'
import { computePrice } from './computePrice.ts'
import { formatRatio, toPlainRatio } from './formatRatio.ts'
import { invert, parseRatio } from './parseRatio.ts'

describe('parseRatio', () => {
  test('reads a price exactly', () => {
    expect(parseRatio('0.25')).toEqual({ numerator: 25n, denominator: 100n })
    expect(parseRatio('3000')).toEqual({ numerator: 3_000n, denominator: 1n })
    expect(parseRatio('.5')).toEqual({ numerator: 5n, denominator: 10n })
  })

  test.each(['', '0', '0.0', '-1', '1e3', '1,5', 'a', '.'])('refuses %s', (text) => {
    expect(parseRatio(text)).toBeUndefined()
  })
})

describe('invert', () => {
  const toOther = (text: string) => formatRatio(invert(parseRatio(text) ?? { numerator: 1n, denominator: 1n }), 18)

  test('retains the signed value, far beyond the displayed digits', () => {
    expect(toOther('3300')).toBe('0.00030303030303030303')
    expect(toOther('0.00030303030303030303')).toBe('3,300')
    expect(toOther('0.000338509')).toBe('2,954.13120478332925')
  })

  test('rejects texts longer than any price', () => {
    expect(parseRatio(`0.${'1'.repeat(58)}`)).toBeDefined()
    expect(parseRatio(`0.${'1'.repeat(59)}`)).toBeUndefined()
  })
})

describe('computePrice', () => {
  const price = computePrice({ sellAmount: 10n ** 18n, buyAmount: 2_954_123_456n }, { sell: 18, buy: 6 })

  test('computes a price in whole tokens, in both directions', () => {
    expect(formatRatio(price)).toBe('2,954.12')
    expect(formatRatio(price, 12)).toBe('2,954.123456')
    expect(formatRatio(invert(price))).toBe('0.00033851')
    expect(toPlainRatio(price, 12)).toBe('2954.123456')
  })
})
