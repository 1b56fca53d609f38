import { expect, test } from 'vitest'
import { computeValidFor, findValidityChoices, maxQuoteSeconds, validityChoices } from './validity.ts'

test('uses the default validity of the order type', () => {
  expect(computeValidFor({ type: 'market', validFor: null })).toBe(1_800)
  expect(computeValidFor({ type: 'limit', validFor: null })).toBe(604_800)
})

test('limits a market order to the validity of its quote, for any link', () => {
  expect(computeValidFor({ type: 'market', validFor: 999_999_999 })).toBe(maxQuoteSeconds)
  expect(findValidityChoices({ type: 'market', validFor: 999_999_999 })).toBe(validityChoices.market)
  expect(computeValidFor({ type: 'limit', validFor: 999_999_999 })).toBe(999_999_999)
})

test('adds the validity of a link to the options', () => {
  expect(findValidityChoices({ type: 'market', validFor: 90 }).at(-1)).toEqual({ seconds: 90, label: '1 min 30 s' })
  expect(findValidityChoices({ type: 'limit', validFor: 86_400 })).toBe(validityChoices.limit)
})

test('a market order has no option longer than its quote', () => {
  expect(validityChoices.market.every(({ seconds }) => seconds <= maxQuoteSeconds)).toBe(true)
})
