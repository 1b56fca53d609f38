import { expect, it } from 'vitest'
import { hash, sampleOrder, usdc, weth } from '../../testing/sampleOrder.ts'
import { listDiagnosisFacts } from './listDiagnosisFacts.ts'

const list = (data: Record<string, unknown>) => listDiagnosisFacts(data, sampleOrder())

it('missing funds come first, in atoms of the missing token', () => {
  expect(list({ available: '5', needed: '1000', token: usdc, spender: weth })).toEqual([
    { label: 'Missing', kind: 'amount', atoms: '995', token: usdc },
    { label: 'Needed', kind: 'amount', atoms: '1000', token: usdc },
    { label: 'Available', kind: 'amount', atoms: '5', token: usdc },
    { label: 'To approve', kind: 'address', value: weth },
  ])
})

it('shows prices, the gap in percent and the auctions', () => {
  expect(list({ auctions: { first: 3, last: 9 }, gapBps: 3_334, limitPrice: '2', marketPrice: '1.5' })).toEqual([
    { label: 'Limit', kind: 'price', price: '2' },
    { label: 'Best offer', kind: 'price', price: '1.5' },
    { label: 'Distance to the market', kind: 'text', value: '33.34 %' },
    { label: 'Auctions', kind: 'text', value: '3–9' },
  ])
})

it('shows the market before fees under its own name', () => {
  expect(list({ limitPrice: '2', midPrice: '2.1', midGapBps: -66 })).toEqual([
    { label: 'Limit', kind: 'price', price: '2' },
    { label: 'Market before fees', kind: 'price', price: '2.1' },
  ])
})

it('shows an offer after fees, and no gap when it meets the limit', () => {
  const offer = { networkFee: '7', quotedSellAmount: '1000', quotedBuyAmount: '2100' }
  expect(list({ ...offer, gapBps: -28, limitPrice: '2', marketPrice: '2.1' })).toEqual([
    { label: 'Limit', kind: 'price', price: '2' },
    { label: 'Best quote after fees', kind: 'price', price: '2.1' },
    { label: 'Network cost of the quote', kind: 'amount', atoms: '7', token: weth },
  ])
})

it('shows executed amounts in the tokens of the order', () => {
  expect(list({ executedSellAmount: '1', executedBuyAmount: '2', transaction: hash, owner: weth })).toEqual([
    { label: 'Sold', kind: 'amount', atoms: '1', token: weth },
    { label: 'Bought', kind: 'amount', atoms: '2', token: usdc },
    { label: 'Transaction', kind: 'transaction', value: hash },
  ])
})

it('shows unknown and malformed figures unchanged and omits null', () => {
  expect(list({ novelty: { a: 1 }, limitPrice: 'none', needed: 'much', solver: null })).toEqual([
    { label: 'Needed', kind: 'text', value: 'much' },
    { label: 'Limit', kind: 'text', value: 'none' },
    { label: 'novelty', kind: 'text', value: '{"a":1}' },
  ])
})
