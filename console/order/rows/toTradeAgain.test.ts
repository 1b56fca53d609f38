import { expect, test } from 'vitest'
import { toTradeAgain } from './toTradeAgain.ts'

const terms = {
  kind: 'sell' as const,
  sellToken: '0xaa',
  buyToken: '0xbb',
  sellAmount: '1500000000000000001',
  buyAmount: '4500000000',
  partiallyFillable: true,
}
const decimals = { sell: 18, buy: 6 }

test('repeats a trade at the market price with its exact amount', () => {
  expect(toTradeAgain({ name: 'sepolia' }, terms, decimals, null)).toBe(
    '/?network=sepolia&sell=0xaa&buy=0xbb&kind=sell&amount=1.500000000000000001',
  )
})

test('places a limit order at a price, with partial fills as before', () => {
  expect(toTradeAgain({ name: 'sepolia' }, { ...terms, kind: 'buy' }, decimals, '2950.5')).toBe(
    '/?network=sepolia&sell=0xaa&buy=0xbb&kind=buy&amount=4500&type=limit&price=2950.5&partial=1',
  )
})
