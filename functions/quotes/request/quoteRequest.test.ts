import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { fromSchemaError } from '#shared/http/toApiError.ts'
import { quoteRequestSchema } from './quoteRequest.ts'

const sell = {
  sellToken: '0xAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  buyToken: '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
  from: zeroAddress,
  kind: 'sell',
  sellAmountBeforeFee: '1000000',
}
const { sellAmountBeforeFee: _, ...unsized } = sell
const buy = { ...unsized, kind: 'buy', buyAmountAfterFee: '7' }

const parse = (body: unknown) => quoteRequestSchema.parse(body)
const failure = (body: unknown) => {
  const { error } = quoteRequestSchema.safeParse(body)
  return error && fromSchemaError(error, body)
}

describe('quoteRequestSchema', () => {
  test('fills in the documented defaults and lower-cases addresses', () => {
    expect(parse(sell)).toMatchObject({
      sellToken: '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      receiver: null,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
      priceQuality: 'verified',
      signingScheme: 'eip712',
      onchainOrder: false,
      size: { of: 'sellBeforeFee', amount: 1_000_000n },
    })
  })

  test('knows the three sizes', () => {
    expect(parse({ ...unsized, sellAmountAfterFee: '5' }).size).toEqual({ of: 'sellAfterFee', amount: 5n })
    expect(parse(sell).size).toEqual({ of: 'sellBeforeFee', amount: 1_000_000n })
    expect(parse({ ...buy, sellAmountBeforeFee: null }).size).toEqual({ of: 'buy', amount: 7n })
  })

  test.each([
    [{ ...sell, sellAmountAfterFee: '5' }, 'sellAmountAfterFee', 'sellAmountBeforeFee'],
    [{ ...sell, buyAmountAfterFee: '5' }, 'buyAmountAfterFee', 'sellAmountBeforeFee'],
    [{ ...unsized, sellAmountAfterFee: '5', buyAmountAfterFee: '5' }, 'buyAmountAfterFee', 'sellAmountAfterFee'],
    [{ ...buy, sellAmountBeforeFee: 'anything' }, 'buyAmountAfterFee', 'sellAmountBeforeFee'],
    [{ ...buy, sellAmountAfterFee: '5' }, 'buyAmountAfterFee', 'sellAmountAfterFee'],
    [{ ...sell, validTo: 1, validFor: 1 }, 'validFor', 'validTo'],
  ])('rejects %j and names both fields', (body, field, other) => {
    const error = failure(body)
    expect(error).toMatchObject({ errorType: 'InvalidParameter', data: { field } })
    expect(error?.message).toContain(field)
    expect(error?.message).toContain(other)
  })

  // what the official SDK sends, field by field: selling a token, and selling the native coin as the wrapped one
  test.each([
    {
      ...sell,
      receiver: '0xCcCcCCcCCCcCCcccCCCCccCCccCcCcCCcCCcCCCC',
      validFor: 1800,
      appData: '{"appCode":"demo","metadata":{},"version":"1.15.0"}',
      appDataHash: `0x${'ab'.repeat(32)}`,
      priceQuality: 'optimal',
      signingScheme: 'eip712',
    },
    { ...sell, signingScheme: 'eip1271', onchainOrder: true, verificationGasLimit: 0, priceQuality: 'optimal' },
    { ...sell, receiver: null, timeout: null, partiallyFillable: 'whatever', unknown: [1] },
    { ...sell, signingScheme: 'presign', onchainOrder: 'true', validTo: 4_294_967_295 },
    { ...sell, slippageBps: 'auto' },
  ])('accepts %j', (body) => {
    expect(quoteRequestSchema.safeParse(body).success).toBe(true)
  })

  test.each([
    [{ ...sell, kind: undefined }, 'kind'],
    [{ ...sell, kind: 'swap' }, 'kind'],
    [{ ...sell, slippageBps: -1 }, 'slippageBps'],
    [{ ...sell, slippageBps: 10_000 }, 'slippageBps'],
    [{ ...sell, slippageBps: 0.5 }, 'slippageBps'],
    [{ ...sell, slippageBps: '50' }, 'slippageBps'],
    [{ ...sell, slippageBps: 'best' }, 'slippageBps'],
    [{ ...sell, partnerFeeBps: 10_001 }, 'partnerFeeBps'],
    [{ ...sell, partnerFeeBps: '1' }, 'partnerFeeBps'],
    [{ ...sell, sellToken: undefined }, 'sellToken'],
    [{ ...sell, buyToken: '0x1234' }, 'buyToken'],
    [{ ...sell, from: undefined }, 'from'],
    [{ ...sell, from: null }, 'from'],
    [unsized, 'sellAmountBeforeFee'],
    [{ ...unsized, kind: 'buy' }, 'buyAmountAfterFee'],
    [{ ...sell, sellAmountBeforeFee: '0' }, 'sellAmountBeforeFee'],
    [{ ...unsized, sellAmountAfterFee: '000' }, 'sellAmountAfterFee'],
    [{ ...buy, buyAmountAfterFee: '0' }, 'buyAmountAfterFee'],
    [{ ...sell, sellAmountBeforeFee: '1.5' }, 'sellAmountBeforeFee'],
    [{ ...sell, sellAmountBeforeFee: '-1' }, 'sellAmountBeforeFee'],
    [{ ...sell, sellAmountBeforeFee: '1e18' }, 'sellAmountBeforeFee'],
    [{ ...sell, sellAmountBeforeFee: '0x10' }, 'sellAmountBeforeFee'],
    [{ ...sell, sellAmountBeforeFee: 1000 }, 'sellAmountBeforeFee'],
    [{ ...sell, sellAmountBeforeFee: (2n ** 256n).toString() }, 'sellAmountBeforeFee'],
    [{ ...sell, validTo: 1, validFor: 1 }, 'validFor'],
    [{ ...sell, validFor: '1800' }, 'validFor'],
    [{ ...sell, validTo: 4_294_967_296 }, 'validTo'],
    [{ ...sell, appDataHash: `0x${'ab'.repeat(32)}` }, 'appData'],
    [{ ...sell, appData: '{}', appDataHash: '0x12' }, 'appDataHash'],
    [{ ...sell, sellTokenBalance: 'vault' }, 'sellTokenBalance'],
    [{ ...sell, buyTokenBalance: 'external' }, 'buyTokenBalance'],
    [{ ...sell, priceQuality: 'best' }, 'priceQuality'],
    [{ ...sell, signingScheme: 'EIP712' }, 'signingScheme'],
    [{ ...sell, onchainOrder: true }, 'onchainOrder'],
    [{ ...sell, onchainOrder: true, signingScheme: 'ethsign' }, 'onchainOrder'],
    [{ ...sell, onchainOrder: 'yes' }, 'onchainOrder'],
    [{ ...sell, verificationGasLimit: 1 }, 'verificationGasLimit'],
    [{ ...sell, signingScheme: 'eip1271', verificationGasLimit: -1 }, 'verificationGasLimit'],
    [{ ...sell, timeout: -1 }, 'timeout'],
    [[], 'body'],
    ['text', 'body'],
    [null, 'body'],
  ])('refuses %j, naming the field', (body, field) => {
    expect(failure(body)).toMatchObject({ errorType: 'InvalidParameter', data: { field } })
  })

  test('a missing field is called missing', () => {
    expect(failure({ ...sell, kind: undefined })?.message).toBe('kind is missing: sell or buy')
    expect(failure({ ...sell, buyToken: undefined })?.message).toMatch(/^buyToken is missing: an address/)
    expect(failure(unsized)?.message).toMatch(/^sellAmountBeforeFee is missing: give/)
  })
})
