import { expect, test } from 'vitest'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import { readTimeRange } from './timeRanges.ts'
import { toMarket } from './toMarket.ts'

const [low, high] = ['0x0a', '0x0b']

test('both directions of a pair are one market', () => {
  const market = { first: low, second: high }
  expect([toMarket(low, high, '0x'), toMarket(high, low, '0x')]).toEqual([market, market])
})

test('the native token is its wrapped form', () => {
  expect(toMarket(nativeSentinel, low, high)).toEqual({ first: low, second: high })
  expect(toMarket(nativeSentinel, high, high)).toBeNull()
})

test('an unknown range is the default', () => {
  expect(['1W', '2W', 'toString', undefined].map(readTimeRange)).toEqual(['1W', '1D', '1D', '1D'])
})
