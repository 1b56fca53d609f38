import { expect, test } from 'vitest'
import { readTradeTerms, type TradeTerms, toTradeQuery } from './tradeTerms.ts'

const terms: TradeTerms = {
  sell: `0x${'a1'.repeat(20)}`,
  buy: `0x${'b2'.repeat(20)}`,
  kind: 'buy',
  amount: '1.5',
  type: 'limit',
  price: '3000.25',
  per: 'buy',
  slippage: '0.3',
  validFor: 3_600,
  isPartiallyFillable: true,
  parts: '6',
  every: 600,
  protection: '2.5',
  receiver: `0x${'c3'.repeat(20)}`,
  order: `0x${'d4'.repeat(56)}`,
  replaces: `0x${'e5'.repeat(56)}`,
}
const parse = (query: string) => readTradeTerms(Object.fromEntries(new URLSearchParams(query)))

test('terms survive a round trip through a URL', () => {
  expect(parse(toTradeQuery('sepolia', terms))).toEqual(terms)
})

test('a URL omits defaults', () => {
  const query = toTradeQuery('sepolia', { ...parse(''), sell: terms.sell, amount: '1' })
  expect(query).toBe(`network=sepolia&sell=${terms.sell}&kind=sell&amount=1&type=market`)
})

test('a price without a unit is per sell token, and without a price the unit is open', () => {
  expect(parse('type=limit&price=3000').per).toBe('sell')
  expect(parse('type=limit').per).toBe('auto')
  expect(parse('price=3000').per).toBe('auto')
  expect(parse('type=limit&price=3000&per=buy').per).toBe('buy')
})

test('terms are bounded for any URL', () => {
  const read = parse(
    `sell=javascript:alert(1)&buy=0x12&kind=swap&amount=${'9'.repeat(500)}&validFor=-5&order=0xabc&type=x`,
  )
  expect(read).toMatchObject({ sell: '', buy: '', kind: 'sell', type: 'market', validFor: null, order: '' })
  expect(read.amount).toHaveLength(100)
})

test('a TWAP sells, without the amount to buy of a link', () => {
  expect(parse('type=twap&kind=buy&amount=2&every=60')).toMatchObject({
    type: 'twap',
    kind: 'sell',
    amount: '',
    every: 60,
  })
  expect(parse('type=twap&amount=2&every=0')).toMatchObject({ amount: '2', every: null, parts: '' })
})

test('terms have addresses in lower case', () => {
  expect(parse(`sell=0x${'AB'.repeat(20)}`).sell).toBe(`0x${'ab'.repeat(20)}`)
})
