import { expect, test } from 'vitest'
import type { Token } from '../tokens/token.ts'
import { isUnlimited, listPositions } from './positions.ts'

const [dear, cheap, unpriced, approved, empty] = ['aa', 'bb', 'cc', 'dd', 'ee'].map(
  (byte): Token => ({ address: `0x${byte.repeat(20)}`, symbol: byte, decimals: 6 }) as Token,
) as [Token, Token, Token, Token, Token]

test('positions are those with a balance or an approval, by value', () => {
  const balances = new Map([
    [unpriced.address, { balance: 9_000_000n, allowance: 0n }],
    [cheap.address, { balance: 1_000_000n, allowance: 0n }],
    [dear.address, { balance: 500_000n, allowance: 7n }],
    [approved.address, { balance: 0n, allowance: 1n }],
    [empty.address, { balance: 0n, allowance: 0n }],
  ])
  const prices = new Map([
    [dear.address, 100],
    [cheap.address, 2],
    [approved.address, 5],
  ])
  const positions = listPositions([empty, unpriced, cheap, dear, approved], balances, prices)
  expect(positions.map(({ token, value }) => [token.symbol, value])).toEqual([
    ['aa', 50],
    ['bb', 2],
    ['dd', 0],
    ['cc', undefined],
  ])
  expect(listPositions([dear], new Map(), prices)).toEqual([])
})

test('an approval that a token capped below 2^256 is unlimited', () => {
  expect(isUnlimited(2n ** 96n - 1n)).toBe(true)
  expect(isUnlimited(10n ** 27n)).toBe(false)
})
