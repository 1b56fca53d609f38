import { expect, test } from 'vitest'
import { computeValidFor, findValidityChoices, maxQuoteSeconds, validityChoices } from './validity.ts'

test('without a wish an order is valid for as long as most of its type are', () => {
  expect(computeValidFor({ type: 'market', validFor: null })).toBe(1_800)
  expect(computeValidFor({ type: 'limit', validFor: null })).toBe(604_800)
})

test('a market order is valid no longer than its quote is asked for, whatever a link says', () => {
  expect(computeValidFor({ type: 'market', validFor: 999_999_999 })).toBe(maxQuoteSeconds)
  expect(findValidityChoices({ type: 'market', validFor: 999_999_999 })).toBe(validityChoices.market)
  expect(computeValidFor({ type: 'limit', validFor: 999_999_999 })).toBe(999_999_999)
})

test('what a link asks for is a choice, too', () => {
  expect(findValidityChoices({ type: 'market', validFor: 90 }).at(-1)).toEqual({ seconds: 90, label: '90 seconds' })
  expect(findValidityChoices({ type: 'limit', validFor: 86_400 })).toBe(validityChoices.limit)
})

test('a market order offers nothing that a quote is not asked for', () => {
  expect(validityChoices.market.every(({ seconds }) => seconds <= maxQuoteSeconds)).toBe(true)
})
