import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { describeAmounts, describePrices, describeToken } from './tokenWords.ts'

const [dai, usdc, odd] = ['01', '02', '03'].map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
]
const find = (facts: { decimals: number; symbol: string | null } | undefined) => (token: Address) =>
  ({ [dai]: { decimals: 18, symbol: 'DAI' }, [usdc]: { decimals: 6, symbol: 'USDC' }, [odd]: facts })[token]
const known = find(undefined)

test('states amounts in whole tokens, rounded down', () => {
  expect(describeAmounts(['0', `${10n ** 21n}`], dai, known)).toBe('0 of 1,000 DAI')
  expect(describeAmounts(['1500000'], usdc, known)).toBe('1.5 USDC')
})

test('never states two amounts that differ as the same', () => {
  expect(describeAmounts(['999999999999999999999', `${10n ** 21n}`], dai, known)).toBe('999.999 of 1,000 DAI')
  expect(describeAmounts([`${10n ** 21n}`, `${10n ** 21n + 1n}`], dai, known)).toBe(
    '1000 of 1000.000000000000000001 DAI',
  )
})

describe('a token that cannot be named is stated in atoms, with its address:', () => {
  test.each([
    ['unknown', undefined],
    ['without a symbol', { decimals: 18, symbol: null }],
    ['with a number for a symbol', { decimals: 18, symbol: '000' }],
    ['with an address for a symbol', { decimals: 18, symbol: '0xdead' }],
    ['with atoms for a symbol', { decimals: 18, symbol: 'Atoms' }],
    ['with control characters alone', { decimals: 18, symbol: '\u202e\u0000' }],
    ['with a link', { decimals: 18, symbol: 'claim-usdc.com' }],
    ['with more decimals than tokens have', { decimals: 77, symbol: 'DAI' }],
    ['with a fraction of a decimal', { decimals: 0.5, symbol: 'DAI' }],
  ])('%s', (_, facts) => {
    expect(describeAmounts(['5', '1000'], odd, find(facts))).toBe(`5 of 1000 atoms of ${odd}`)
    expect(describeToken(odd, find(facts))).toBe(odd)
    expect(describePrices(['2'], { sellToken: odd, buyToken: usdc }, find(facts))).toEqual([
      '2 buy token atoms per sell token atom',
    ])
  })
})

test('bounds what a hostile token adds to a sentence', () => {
  const hostile = find({ decimals: 36, symbol: `A\n\u202e${'B'.repeat(1_000)}` })
  const text = describeAmounts([`${2n ** 256n - 1n}`], odd, hostile)
  expect(text.length).toBeLessThan(80)
  expect(text).not.toMatch(/\p{Cc}|\u202e/u)
  for (const price of ['9'.repeat(300), `0.${'0'.repeat(400)}1`, '0']) {
    const [described = ''] = describePrices([price], { sellToken: odd, buyToken: usdc }, hostile)
    expect(described.length).toBeLessThan(100)
    expect(described).toMatch(/^[\d.,]+ /)
  }
})

test('states prices in whole tokens, in the direction in which the first is above 1', () => {
  const forward = { sellToken: dai, buyToken: usdc }
  expect(describePrices(['0.00000000315'], forward, known)).toEqual(['3,150 USDC per DAI'])
  const back = { sellToken: usdc, buyToken: dai }
  expect(describePrices(['250000000', '1250000000000'], back, known)).toEqual([
    '4,000 USDC per DAI',
    '0.8 USDC per DAI',
  ])
})
