import { expect, test } from 'vitest'
import { toPlainText } from './toPlainText.ts'

test.each([
  [2_954_123_456n, 6, undefined, '2954.1234'],
  [1_234_567n * 10n ** 18n, 18, undefined, '1234567'],
  [1n, 18, undefined, '0.000000000000000001'],
  [1_234_567_890_123_456_789n, 18, undefined, '1.2345678'],
  [1_234_567_890_123_456_789n, 18, Number.POSITIVE_INFINITY, '1.234567890123456789'],
  [0n, 6, undefined, '0'],
])('formats %s atoms of %i decimals', (atoms, decimals, digits, text) => {
  expect(toPlainText(atoms, decimals, digits)).toBe(text)
})
