import { expect, test } from 'vitest'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import { findTradeRoute } from './findTradeRoute.ts'

const [weth, usdc] = ['0x0e', '0x0c']
const route = (sell: string | undefined, buy: string | undefined) =>
  findTradeRoute({ sell: sell ? { address: sell } : undefined, buy: buy ? { address: buy } : undefined }, weth)

test('tokens are traded by a signed order, also for the native token', () => {
  expect([route(weth, usdc), route(usdc, nativeSentinel), route(undefined, usdc), route(weth, undefined)]).toEqual(
    Array(4).fill('order'),
  )
})

test('the native token is sold on-chain', () => {
  expect([route(nativeSentinel, usdc), route(nativeSentinel, undefined)]).toEqual(['native', 'native'])
})

test('the native token and its wrapped form are exchanged without an order', () => {
  expect([route(nativeSentinel, weth), route(weth, nativeSentinel)]).toEqual(['wrap', 'unwrap'])
})
