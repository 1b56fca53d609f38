import { expect, test } from 'vitest'
import { buildBook } from './buildBook.ts'
import { isOfMarket, toFill } from './toFill.ts'

const [weth, usdc, native] = ['aa', 'bb', 'ee'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]
const market = { base: { address: weth, decimals: 18 }, quote: { address: usdc, decimals: 6 } }
const network = { wrappedNative: weth }

test('orders of one price are one level, and sizes are whole tokens', () => {
  const ether = 10n ** 18n
  const order = (size: bigint, price: bigint) => ({
    base: String(size * ether),
    quote: String(size * price * 10n ** 6n),
  })
  const orders = [order(2n, 3_000n), order(1n, 3_000n), order(4n, 3_010n), order(1n, 3_020n), { base: '0', quote: '1' }]
  expect(buildBook(orders, market, 2)).toEqual([
    { price: 3_000, size: 3 },
    { price: 3_010, size: 4 },
  ])
})

test('a trade is in the direction of the base token, whichever is sold', () => {
  const sale = { sellToken: weth, buyToken: usdc, sellAmount: '500000000000000000', buyAmount: '1500000000' }
  const purchase = { sellToken: usdc, buyToken: native, sellAmount: '1500000000', buyAmount: '500000000000000000' }
  expect(toFill(network, market, sale)).toEqual({ side: 'sells', size: 0.5, price: 3_000 })
  expect(toFill(network, market, purchase)).toEqual({ side: 'buys', size: 0.5, price: 3_000 })
  expect(isOfMarket(network, market, sale)).toBe(true)
  expect(isOfMarket(network, market, { sellToken: weth, buyToken: native })).toBe(false)
})
