import { expect, test } from 'vitest'
import { toWords } from './toWords.ts'

test('turns the name of an error into words', () => {
  expect(toWords('SellAmountDoesNotCoverFee')).toBe('Sell amount does not cover fee')
  expect(toWords('NotFound')).toBe('Not found')
})
