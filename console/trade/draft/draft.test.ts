import { describe, expect, test } from 'vitest'
import { sampleTokens } from '../../testing/sampleDraft.ts'
import type { NamedAddress } from '../../wallet/useNamedAddress.ts'
import { readDraft } from './draft.ts'
import { readTradeTerms, type TradeTerms } from './tradeTerms.ts'

const { sell, buy } = sampleTokens
const native = `0x${'ee'.repeat(20)}`
const read = (changes: Partial<TradeTerms>) =>
  readDraft(
    { ...readTradeTerms({}), sell: sell.address, buy: buy.address, ...changes },
    { sell, buy, wrappedNative: sell.address },
  )

describe('readDraft', () => {
  test('reads a market order to sell', () => {
    expect(read({ amount: '1.5' })).toMatchObject({
      amount: 1_500_000_000_000_000_000n,
      limit: undefined,
      slippageBps: 'auto',
      validFor: 1_800,
      receiver: null,
    })
  })

  test('the amount of a buy order is in the buy token', () => {
    expect(read({ kind: 'buy', amount: '1.5' }).amount).toBe(1_500_000n)
  })

  test('reads a limit order with its price in either direction', () => {
    const limit = { sellAmount: 10n ** 18n, buyAmount: 4_000_000_000n }
    expect(read({ type: 'limit', amount: '1', price: '4000' })).toMatchObject({ limit, validFor: 604_800 })
    expect(read({ type: 'limit', amount: '1', price: '0.00025', per: 'buy' })).toMatchObject({ limit })
  })

  test('a limit order that would pay zero has no limit yet', () => {
    expect(read({ type: 'limit', kind: 'buy', amount: '0.000001', price: '9'.repeat(30) }).limit).toBeUndefined()
  })

  test('refuses a limit order whose other amount exceeds uint256', () => {
    const dear = read({ type: 'limit', amount: '1', price: '9'.repeat(60) })
    expect(dear.limit).toBeDefined()
    const tooDear = read({ type: 'limit', amount: '1000000000000', price: '9'.repeat(60) })
    expect(tooDear).toMatchObject({ limit: undefined, faults: { price: expect.stringMatching(/too large/) } })
    expect(read({ type: 'limit', amount: '1', price: '1'.repeat(61) }).faults.price).toMatch(/60 characters/)
  })

  test('reads slippage in percent', () => {
    expect(read({ slippage: '0.5' }).slippageBps).toBe(50)
    expect(read({ slippage: '1' }).slippageBps).toBe(100)
    expect(read({ slippage: '.05' }).slippageBps).toBe(5)
    expect(read({ slippage: '0' }).slippageBps).toBe(0)
    expect(read({ slippage: '60' }).faults.slippage).toMatch(/50 %/)
    expect(read({ slippage: '0.001' }).faults.slippage).toMatch(/two decimals/)
  })

  test('reads a receiver by its name', () => {
    const readName = (named: NamedAddress) =>
      readDraft(readTradeTerms({ receiver: 'alice.eth' }), {
        sell: undefined,
        buy: undefined,
        wrappedNative: '',
        named,
      })
    expect(readName({ state: 'found', address: '0x0a' })).toMatchObject({
      receiver: '0x0a',
      faults: { receiver: undefined },
    })
    for (const state of ['none', 'unconnected', 'loading', 'missing', 'unavailable'] as const)
      expect(readName({ state }).faults.receiver).toBeDefined()
  })

  test('reads a receiver with or without a checksum', () => {
    const address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
    expect(read({ receiver: address }).receiver).toBe(address.toLowerCase())
    expect(read({ receiver: address.replace('E7', 'e7') }).faults.receiver).toBeDefined()
    expect(read({ receiver: 'me' }).faults.receiver).toBeDefined()
    expect(read({ receiver: `0x${'00'.repeat(20)}` }).faults.receiver).toBeDefined()
  })

  test('refuses tokens that cannot be traded for each other', () => {
    expect(read({ buy: sell.address }).faults.buy).toMatch(/different/)
    expect(read({ buy: native }).faults).toEqual({})
  })

  test('the native token is sold by its exact amount, and wrapped by either', () => {
    expect(read({ sell: native }).faults.sell).toBeUndefined()
    expect(read({ sell: native, kind: 'buy' }).faults.sell).toMatch(/exact amount/)
    expect(read({ sell: native, kind: 'buy', buy: sell.address }).faults.sell).toBeUndefined()
  })
})
