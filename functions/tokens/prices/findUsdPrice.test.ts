import { expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { findUsdPrice } from './findUsdPrice.ts'
import { type PriceOutcome, type PriceSource, toPriceOutcome } from './priceSource.ts'

const unknown: PriceOutcome = { status: 'unknown' }
const throttled: PriceOutcome = { status: 'throttled' }
const failed: PriceOutcome = { status: 'failed', reason: 'status 500' }
const costing = (price: number): PriceOutcome => ({ status: 'price', price })

const find = (...outcomes: PriceOutcome[]) => {
  const sources = outcomes.map((outcome, i): PriceSource => ({ name: 'abc'[i] ?? '', findPrice: async () => outcome }))
  const deps = { sources, maxDeviationBps: 1_000, isToken: async () => true }
  return findUsdPrice(deps, networks.mainnet, nativeSentinel)
}

test.each<[string, PriceOutcome[], object]>([
  ['the first source wins', [costing(2), costing(2.1)], { price: 2, source: 'a' }],
  ['a failure falls through', [failed, costing(2)], { price: 2, source: 'b' }],
  ['an unknown token falls through', [unknown, throttled, costing(2)], { price: 2, source: 'c' }],
  ['just within the gate', [costing(1), costing(1.1)], { price: 1, source: 'a' }],
  ['two against the first', [costing(9), costing(2), costing(2.1)], { price: 2, source: 'b' }],
  ['one between two', [costing(1), costing(1.09), costing(1.18)], { price: 1, source: 'a' }],
  ['no source has it', [unknown, unknown], { status: 'unknown' }],
  ['no source at all', [], { status: 'unknown' }],
  ['one does not know it, one fails', [unknown, throttled], { sources: { a: 'unknown', b: 'throttled' } }],
  ['all sources fail', [failed], { status: 'unavailable', sources: { a: 'status 500' } }],
  ['just outside the gate', [costing(1), costing(1.1001)], { status: 'disputed', prices: { a: 1, b: 1.1001 } }],
  ['three that differ', [costing(1), costing(2), costing(3)], { status: 'disputed' }],
])('%s', async (_, outcomes, expected) => {
  expect(await find(...outcomes)).toMatchObject(expected)
})

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, undefined, null, '1'])('%s is not a price', (price) => {
  expect(toPriceOutcome(price)).toEqual(unknown)
})

test.each([
  [false, { status: 'unknown' }, 0],
  [true, { status: 'price', price: 2 }, 1],
  [undefined, { status: 'price', price: 2 }, 1],
])(
  'skips the sources for addresses that are not tokens, but not when the node fails (%s)',
  async (isToken, found, times) => {
    let queried = 0
    const findPrice = async () => {
      queried += 1
      return costing(2)
    }
    const deps = { sources: [{ name: 'a', findPrice }], maxDeviationBps: 1_000, isToken: async () => isToken }
    expect(await findUsdPrice(deps, networks.mainnet, nativeSentinel)).toMatchObject(found)
    expect(queried).toBe(times)
  },
)
