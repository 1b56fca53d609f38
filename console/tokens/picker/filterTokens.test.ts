import { describe, expect, test } from 'vitest'
import { filterTokens, isTypedAddress } from './filterTokens.ts'

const usdc = { address: `0x${'1c'.repeat(20)}`, symbol: 'USDC', name: 'USD Coin' }
const sdai = { address: `0x${'2d'.repeat(20)}`, symbol: 'sDAI', name: 'Savings Dai' }
const dai = { address: `0x${'3e'.repeat(20)}`, symbol: 'DAI', name: 'Dai' }
const nameless = { address: `0x${'4f'.repeat(20)}` }
const tokens = [usdc, sdai, dai, nameless]

describe('filterTokens', () => {
  test.each([
    ['', tokens],
    ['dai', [dai, sdai]],
    ['DA', [dai, sdai]],
    ['coin', [usdc]],
    ['0x4f4f', [nameless]],
    ['nothing', []],
  ])('finds the tokens that match “%s”', (typed, found) => {
    expect(filterTokens(tokens, typed)).toEqual(found)
  })
})

test('a typed address has forty hex digits, in any case, with spaces around it', () => {
  expect(isTypedAddress(` 0x${'AB'.repeat(20)} `)).toBe(true)
  expect(isTypedAddress('0xab')).toBe(false)
})
