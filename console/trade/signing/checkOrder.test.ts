import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { orderTypes } from '../../actions/orderTypes.ts'
import { sampleDraft, sampleTokens } from '../../testing/sampleDraft.ts'
import type { Draft } from '../draft/draft.ts'
import type { Quote } from '../quote/quote.ts'
import { appDataHash, buildOrder } from './buildOrder.ts'
import { checkOrder } from './checkOrder.ts'

const network = { chainId: 11_155_111, settlementContract: '0x9008d19f58aabd9ed0d60971565aa8510560ab41' }
const rung = { sellAmount: '1000000000000000000', buyAmount: '2000000001' }
const validTo = 1_800_000_000
const now = 1_790_000_000

const message = {
  sellToken: sampleTokens.sell.address,
  buyToken: sampleTokens.buy.address,
  receiver: zeroAddress as string,
  sellAmount: rung.sellAmount,
  buyAmount: '1990000001',
  validTo,
  appData: appDataHash as string,
  feeAmount: '0',
  kind: 'sell' as 'sell' | 'buy',
  partiallyFillable: false,
  sellTokenBalance: 'erc20' as const,
  buyTokenBalance: 'erc20' as const,
}
const domain = {
  name: 'Gnosis Protocol',
  version: 'v2',
  chainId: 11_155_111,
  verifyingContract: network.settlementContract,
}
/** Only the fields of a quote that are read. */
const toQuote = (changes: { message?: object; domain?: object; types?: object } = {}): Quote => {
  const signed = { ...message, ...changes.message }
  return {
    amounts: {
      beforeAllFees: rung,
      afterNetworkFee: rung,
      afterProtocolFee: rung,
      afterPartnerFee: rung,
      afterSlippage: { sellAmount: signed.sellAmount, buyAmount: signed.buyAmount },
    },
    signable: {
      order: signed,
      typedData: {
        domain: { ...domain, ...changes.domain },
        types: { ...orderTypes, ...changes.types },
        primaryType: 'Order',
        message: signed,
      },
      digest: '0x',
      orderUid: null,
    },
  } as unknown as Quote
}

const check = (quote: Quote, changes: Partial<Draft> = {}, until = validTo): string[] => {
  const changed = sampleDraft(changes)
  const order = buildOrder(changed, { network, quote, now })
  if (!order) throw new Error('nothing to sign')
  return checkOrder(order, { network, draft: changed, quote, validFrom: until - changed.validFor })
}

test('a market order is signed as displayed', () => {
  expect(check(toQuote())).toEqual([])
})

const other = `0x${'99'.repeat(20)}`
test.each<[string, object]>([
  ['sellToken', { sellToken: other }],
  ['buyToken', { buyToken: other }],
  ['receiver', { receiver: other }],
  ['sellAmount', { sellAmount: '1000000000000000001' }],
  ['buyAmount', { buyAmount: '1990000000' }],
  ['validTo', { validTo: validTo + 1 }],
  ['appData', { appData: `0x${'00'.repeat(32)}` }],
  ['feeAmount', { feeAmount: '1' }],
  ['kind', { kind: 'buy' }],
  ['sellTokenBalance', { sellTokenBalance: 'internal' }],
  ['buyTokenBalance', { buyTokenBalance: 'internal' }],
])('a market order with another %s is refused', (field, change) => {
  expect(check(toQuote({ message: change }))).toEqual([field])
})

test('a market order of another contract, chain or type is rejected', () => {
  expect(check(toQuote({ domain: { verifyingContract: other } }))).toEqual(['verifyingContract'])
  expect(check(toQuote({ domain: { chainId: 1 } }))).toEqual(['chainId'])
  expect(check(toQuote({ domain: { version: 'v3' } }))).toEqual(['version'])
  expect(check(toQuote({ types: { Order: orderTypes.Order.slice(1) } }))).toEqual(['types'])
})

test('a market order with another validity than displayed is rejected', () => {
  const draft = sampleDraft()
  const order = buildOrder(draft, { network, quote: toQuote(), now })
  const longer = { ...draft, validFor: 7_200 }
  const validFrom = validTo - draft.validFor
  expect(order && checkOrder(order, { network, draft: longer, quote: toQuote(), validFrom })).toEqual(['validTo'])
})

test('a market order is partially fillable when displayed so', () => {
  expect(check(toQuote(), { isPartiallyFillable: true })).toEqual([])
})

test('a market order goes to the displayed receiver', () => {
  expect(check(toQuote({ message: { receiver: other } }), { receiver: other })).toEqual([])
  expect(check(toQuote(), { receiver: other })).toEqual(['receiver'])
})

test('a market order to buy pays at most the amount with slippage', () => {
  const buys = { kind: 'buy' as const, amount: 2_000_000_001n }
  const most = { kind: 'buy', sellAmount: '1005000000000000000', buyAmount: '2000000001' }
  expect(check(toQuote({ message: most }), buys)).toEqual([])
  expect(check(toQuote({ message: { ...most, sellAmount: '1005000000000000001' } }), buys)).toEqual(['sellAmount'])
})

const limit = { sellAmount: 10n ** 18n, buyAmount: 3_000_000_000n }

const changes = { type: 'limit' as const, limit, validFor: 604_800 }

test('a limit order has its own amounts and validity and needs no quote', () => {
  const order = buildOrder(sampleDraft(changes), { network, quote: null, now })
  expect(order?.message).toMatchObject({
    sellAmount: '1000000000000000000',
    buyAmount: '3000000000',
    validTo: now + 604_800,
  })
  expect(check(toQuote(), changes, now + 604_800)).toEqual([])
})

test('a limit order signs the same members as a market order', () => {
  const order = buildOrder(sampleDraft(changes), { network, quote: null, now })
  expect(Object.keys(order?.message ?? {})).toEqual(Object.keys(message))
})

test('a limit order without a limit has nothing to sign', () => {
  expect(buildOrder(sampleDraft({ type: 'limit' }), { network, quote: toQuote(), now })).toBeUndefined()
})
