import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { sampleDraft } from '../../testing/sampleDraft.ts'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import type { Draft } from '../draft/draft.ts'
import { appDataDocument } from './appData.ts'
import { toQuoteInput, toQuoteKey, toQuoteRequest } from './quoteInput.ts'

const wrappedNative = '0x0e'
const native = { address: nativeSentinel, decimals: 18 }
const toInput = (changes: Partial<Draft> = {}, owner: string | null = null) =>
  toQuoteInput(sampleDraft({ amount: 100n, ...changes }), owner, wrappedNative)
const request = (changes: Partial<Draft> = {}, owner: string | null = null) => {
  const input = toInput(changes, owner)
  if (!input) throw new Error('no input')
  return toQuoteRequest(input, 1_000)
}

describe('toQuoteInput', () => {
  test('a quote needs both tokens, an amount and no fault except in the price', () => {
    expect(toInput({ sell: undefined })).toBeUndefined()
    expect(toInput({ buy: undefined })).toBeUndefined()
    expect(toInput({ amount: undefined })).toBeUndefined()
    expect(toInput({ faults: { receiver: 'no address' } })).toBeUndefined()
    expect(toInput({ faults: { price: 'no number' } })).toBeDefined()
  })

  test('wrapping needs no quote', () => {
    expect(toInput({ sell: native, buy: { address: wrappedNative, decimals: 18 } })).toBeUndefined()
  })

  test('the input changes with everything that a quote depends on', () => {
    const inputs = [
      toInput(),
      toInput({}, '0x0a'),
      toInput({ amount: 101n }),
      toInput({ kind: 'buy' }),
      toInput({ slippageBps: 51 }),
      toInput({ validFor: 600 }),
      toInput({ receiver: '0x0b' }),
      toInput({ buy: { address: '0x03', decimals: 6 } }),
      undefined,
    ]
    expect(new Set(inputs.map(toQuoteKey)).size).toBe(inputs.length)
    expect(toQuoteKey(toInput({ isPartiallyFillable: true }))).toBe(toQuoteKey(toInput()))
  })
})

describe('toQuoteRequest', () => {
  test('a request has the document with the hooks of the order and the signing scheme', () => {
    const toRequest = (changes: Partial<Draft> = {}) => {
      const input = toQuoteInput(sampleDraft(changes), null, wrappedNative, { appData: '{"a":1}', scheme: 'presign' })
      return input && toQuoteRequest(input, 1_000)
    }
    expect(toRequest()).toMatchObject({ appData: '{"a":1}', signingScheme: 'presign' })
    // a transaction places it, without a permit
    expect(toRequest({ sell: native })).toMatchObject({ appData: appDataDocument, signingScheme: 'eip1271' })
  })

  test('a market order has its slippage and validity', () => {
    expect(request()).toMatchObject({
      kind: 'sell',
      sellAmountBeforeFee: '100',
      from: zeroAddress,
      slippageBps: 50,
      validTo: 2_800,
    })
    expect(request()).not.toHaveProperty('receiver')
  })

  test('the native token is sold as the wrapped one by an on-chain order', () => {
    const onchain = { sellToken: wrappedNative, signingScheme: 'eip1271', onchainOrder: true }
    expect(request({ sell: native })).toMatchObject(onchain)
    expect(request()).toMatchObject({ signingScheme: 'eip712' })
    expect(request()).not.toHaveProperty('onchainOrder')
  })

  test('a buy order has its buy amount', () => {
    const buyRequest = request({ kind: 'buy', receiver: '0x0b' }, '0x0a')
    expect(buyRequest).toMatchObject({ kind: 'buy', buyAmountAfterFee: '100', from: '0x0a', receiver: '0x0b' })
    expect(buyRequest).not.toHaveProperty('sellAmountBeforeFee')
  })

  test('a limit order has its own price and may outlive its quote', () => {
    expect(request({ type: 'limit', validFor: 604_800 })).toMatchObject({ slippageBps: 0, validTo: 1_000 + 7_200 })
  })
})
