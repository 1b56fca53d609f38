import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { checkQuoteRequest } from './checkQuoteRequest.ts'
import { quoteRequestSchema } from './quoteRequest.ts'

const sellToken = '0x1000000000000000000000000000000000000001'
const buyToken = '0x2000000000000000000000000000000000000002'
const from = '0x3000000000000000000000000000000000000003'
const banned = '0x4000000000000000000000000000000000000004'
const unsupported = '0x5000000000000000000000000000000000000005'
const nowSeconds = 1_800_000_000
const deps = {
  network: networks.sepolia,
  bannedUsers: new Set([banned, zeroAddress] as const),
  unsupportedTokens: new Set([unsupported] as const),
  minValiditySeconds: 60,
  now: nowSeconds * 1_000 + 999,
}

const check = (fields: object) =>
  checkQuoteRequest(
    quoteRequestSchema.parse({ sellToken, buyToken, from, kind: 'sell', sellAmountBeforeFee: '1', ...fields }),
    deps,
  )
const failure = (fields: object) => {
  try {
    check(fields)
  } catch (error) {
    return error
  }
  return undefined
}
const error = (errorType: string) => expect.objectContaining({ errorType })

describe('checkQuoteRequest', () => {
  test.each([
    [{}, nowSeconds + 1_800],
    [{ validFor: 60 }, nowSeconds + 60],
    [{ validFor: 10_800 }, nowSeconds + 10_800],
    [{ validTo: nowSeconds + 60 }, nowSeconds + 60],
    [{ validTo: 0xffffffff, signingScheme: 'presign' }, 0xffffffff],
  ])('%j is valid to %i', (fields, validTo) => {
    expect(check(fields)).toEqual({ validTo })
  })

  test.each([
    [{ validFor: 59 }, 'InsufficientValidTo'],
    [{ validFor: 0 }, 'InsufficientValidTo'],
    [{ validTo: nowSeconds - 1 }, 'InsufficientValidTo'],
    [{ validFor: 10_801 }, 'ExcessiveValidTo'],
    [{ validFor: 0xffffffff }, 'ExcessiveValidTo'],
    [{ validFor: 0xffffffff, signingScheme: 'presign' }, 'ExcessiveValidTo'],
    [{ from: banned }, 'Forbidden'],
    [{ receiver: banned.toUpperCase().replace('0X', '0x') }, 'Forbidden'],
    [{ sellTokenBalance: 'internal' }, 'UnsupportedSellTokenSource'],
    [{ sellTokenBalance: 'external' }, 'UnsupportedSellTokenSource'],
    [{ buyTokenBalance: 'internal' }, 'UnsupportedBuyTokenDestination'],
    [{ buyToken: sellToken }, 'SameBuyAndSellToken'],
    [{ sellToken: networks.sepolia.wrappedNative, buyToken: nativeSentinel }, 'SameBuyAndSellToken'],
    [{ sellToken: nativeSentinel }, 'InvalidNativeSellToken'],
    [{ sellToken: unsupported }, 'UnsupportedToken'],
    [{ buyToken: unsupported }, 'UnsupportedToken'],
    [{ sellToken: unsupported, buyToken: unsupported }, 'SameBuyAndSellToken'],
  ])('%j: %s', (fields, errorType) => {
    expect(failure(fields)).toEqual(error(errorType))
  })

  test('the zero address cannot be banned', () => {
    expect(check({ from: zeroAddress, receiver: zeroAddress })).toBeDefined()
  })
})
