import { describe, expect, test } from 'vitest'
import { toPlainText } from '../../ui/toPlainText.ts'
import { parseAmount } from './parseAmount.ts'

describe('parseAmount', () => {
  test.each([
    ['1', 18, 10n ** 18n],
    ['1.5', 6, 1_500_000n],
    ['.5', 6, 500_000n],
    ['5.', 6, 5_000_000n],
    ['0.000001', 6, 1n],
    ['1.50000000', 6, 1_500_000n],
    ['12', 0, 12n],
    [' 7 ', 2, 700n],
    ['123456789012345678901234567890.123456789012345678', 18, 123456789012345678901234567890123456789012345678n],
  ])('reads %s with %i decimals', (text, decimals, atoms) => {
    expect(parseAmount(text, decimals)).toEqual({ atoms })
  })

  test.each([
    ['1,000.5', 6, /separators/],
    ['1e18', 6, /number/],
    ['-1', 6, /number/],
    ['.', 6, /number/],
    ['0x10', 6, /number/],
    ['0.0000001', 6, /6 decimals/],
    ['0.5', 0, /0 decimals/],
    ['0', 6, /greater than zero/],
    ['0.000', 6, /greater than zero/],
    ['9'.repeat(78), 0, /too large/],
  ])('refuses %s with %i decimals', (text, decimals, fault) => {
    expect(parseAmount(text, decimals)).toEqual({ fault: expect.stringMatching(fault) })
  })

  test('reads every digit of an amount', () => {
    const atoms = 123_456_789_000_000_000_000_000_000_001n
    expect(parseAmount(toPlainText(atoms, 18, Number.POSITIVE_INFINITY), 18)).toEqual({ atoms })
  })

  test('an empty text is neither valid nor invalid', () => {
    expect(parseAmount(' ', 18)).toEqual({})
  })
})
