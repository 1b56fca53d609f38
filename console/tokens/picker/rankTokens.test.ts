import { expect, test } from 'vitest'
import { rankTokens } from './rankTokens.ts'

const tokens = ['a', 'b', 'c', 'd', 'e'].map((address) => ({ address }))

test('favourites come first, then the largest value, then any balance, then the order of the list', () => {
  const values: Record<string, number> = { b: 10, c: 2_500 }
  const ranked = rankTokens(tokens, {
    favourites: ['e'],
    findValue: (address) => values[address],
    findBalance: (address) => (address === 'd' ? 1n : 0n),
  })
  expect(ranked.map(({ address }) => address).join('')).toBe('ecbda')
})

test('without balances the order of the list stays', () => {
  const nothing = { favourites: [], findValue: () => undefined, findBalance: () => undefined }
  expect(rankTokens(tokens, nothing)).toEqual(tokens)
})
