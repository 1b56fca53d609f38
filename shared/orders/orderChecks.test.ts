import { expect, test } from 'vitest'
import { checkExpiry } from './orderChecks.ts'

const now = 1_000

test('an order may still be valid for exactly the minimum', () => {
  expect(() => checkExpiry(now + 60, now, 60)).not.toThrow()
  expect(() => checkExpiry(now + 30, now, 30)).not.toThrow()
})

test('a shorter time names both times', () => {
  expect(() => checkExpiry(now + 59, now, 60)).toThrow(
    expect.objectContaining({ errorType: 'InsufficientValidTo', data: { validTo: now + 59, earliest: now + 60 } }),
  )
  expect(() => checkExpiry(now + 29, now, 30)).toThrow(
    expect.objectContaining({ data: { validTo: now + 29, earliest: now + 30 } }),
  )
})

test('an order ends after the second of its validTo', () => {
  expect(() => checkExpiry(now, now, 60)).toThrow(expect.objectContaining({ errorType: 'InsufficientValidTo' }))
  expect(() => checkExpiry(now - 1, now, 60)).toThrow(
    expect.objectContaining({ errorType: 'OrderExpired', data: { validTo: now - 1, now } }),
  )
})
