import { expect, test } from 'vitest'
import { toSafeText } from './toSafeText.ts'

test.each([
  ['USD Coin', 'USD Coin'],
  ['₮ether £ 日本円 हिन्दी', '₮ether £ 日本円 हिन्दी'],
  ['a\u202eb\u2066c\u200bd\u0007', 'abcd'],
  [' two\r\n\tlines\u00a0and\u2028more ', 'two lines and more'],
  ['ＷＥＴＨ', 'WETH'],
  [`e${'\u0317'.repeat(50)}x`, 'e\u0317\u0317x'],
  ['\ud800', undefined],
  ['\u200b \u2800\u3164', undefined],
  ['', undefined],
  [undefined, undefined],
  [null, undefined],
])('makes %j safe to display', (text, safe) => {
  expect(toSafeText(text, 30)).toBe(safe)
})

test('truncates at whole characters', () => {
  expect(toSafeText('🦄'.repeat(9), 4)).toBe('🦄🦄🦄…')
  expect(toSafeText('🦄'.repeat(4), 4)).toBe('🦄🦄🦄🦄')
  expect(toSafeText('W'.repeat(1_000_000), 20)).toHaveLength(20)
})
