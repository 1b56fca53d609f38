import { expect, test } from 'vitest'
import type { Token } from '../tokens/token.ts'
import { findSuggestions } from './findSuggestions.ts'

const [weth, usdc, usdt] = ['WETH', 'USDC', 'USDT'].map(
  (symbol, place) =>
    ({ address: `0x${`a${place}`.repeat(20)}`, symbol, name: `${symbol} token`, decimals: 6 }) as Token,
) as [Token, Token, Token]
const suggest = (text: string) =>
  findSuggestions(text, 'sepolia', [weth, usdc, usdt]).map(({ kind, name, path }) => [kind, name, path])

test('a part of a symbol suggests tokens, the best match first', () => {
  expect(suggest('usd')).toEqual([
    ['Token', 'USDC · USDC token', `/tokens/${usdc.address}?network=sepolia`],
    ['Token', 'USDT · USDT token', `/tokens/${usdt.address}?network=sepolia`],
  ])
  expect(suggest(' ')).toEqual([])
  expect(suggest('nothing like it')).toEqual([])
})

test.each(['weth/usdc', 'WETH USDC', 'weth-usdc'])('%s suggests the form with both tokens', (text) => {
  expect(suggest(text)[0]).toEqual([
    ...['Pair', 'WETH → USDC', `/?network=sepolia&sell=${weth.address}&buy=${usdc.address}`],
  ])
  expect(suggest('weth/weth')).toEqual([])
})

test('an id suggests its page, and the address of a token both of its pages', () => {
  expect(suggest('42')).toEqual([['Auction', '42', '/auctions/42']])
  const uid = `0x${'ef'.repeat(56)}`
  expect(suggest(uid)).toEqual([['Order', '0xefefef…efefef', `/orders/${uid}`]])
  expect(suggest(weth.address).map(([kind]) => kind)).toEqual(['Account', 'Token'])
})
