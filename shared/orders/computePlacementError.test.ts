import { expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import type { OfferedQuote } from '#shared/orders/checkSignedFee.ts'
import type { Order } from '#shared/signing/order.ts'
import { computePlacementError } from './computePlacementError.ts'

const { wrappedNative } = networks.sepolia
const unsupported = `0x${'bb'.repeat(20)}` as const
const placedAt = new Date(1_800_000_000_000)
const token = `0x${'aa'.repeat(20)}` as const

const order: Order = {
  sellToken: wrappedNative,
  buyToken: token,
  receiver: `0x${'cc'.repeat(20)}`,
  sellAmount: 1n,
  buyAmount: 1n,
  validTo: 0xffffffff,
  appDataHash: `0x${'00'.repeat(32)}`,
  feeAmount: 0n,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
}

test.each<[ReturnType<typeof computePlacementError>, Partial<Order>]>([
  [null, {}],
  [null, { buyAmount: 0n }],
  [null, { kind: 'buy' }],
  [null, { buyToken: nativeSentinel, sellToken: token }],
  ['preValidationError', { buyToken: unsupported }],
  ['preValidationError', { sellToken: unsupported, feeAmount: 1n }],
  ['nonZeroFee', { feeAmount: 1n }],
  ['other', { buyToken: wrappedNative }],
  ['other', { buyToken: nativeSentinel }],
  ['other', { sellToken: nativeSentinel }],
  ['other', { sellAmount: 0n }],
  ['other', { kind: 'buy', buyAmount: 0n }],
  ['other', { receiver: networks.sepolia.vaultRelayer }],
  ['other', { receiver: order.buyToken }],
  ['other', { receiver: nativeSentinel }],
  [null, { receiver: `0x${'0'.repeat(40)}` }],
  ['other', { sellTokenBalance: 'external' }],
  ['other', { buyTokenBalance: 'internal', feeAmount: 1n }],
])('%s: %o', (error, changes) => {
  const placed = { ...order, ...changes }
  expect(computePlacementError(placed, networks.sepolia, new Set([unsupported]), null, undefined, placedAt)).toBe(error)
})

test('pays the settlement contract only with a document that is not known yet, or names a loan or a wrapper', () => {
  const placed = { ...order, receiver: networks.sepolia.settlementContract }
  const judge = (appData: Parameters<typeof computePlacementError>[3]) =>
    computePlacementError(placed, networks.sepolia, new Set(), appData, undefined, placedAt)
  const wrapper = { address: token, data: '0x', isOmittable: false } as const
  expect(judge(null)).toBeNull()
  expect(judge({ flashloan: null, wrappers: [wrapper] })).toBeNull()
  expect(judge({ flashloan: null, wrappers: [] })).toBe('other')
})

test.each<[ReturnType<typeof computePlacementError>, Partial<OfferedQuote>]>([
  [null, {}],
  [null, { expiresAt: placedAt }],
  ['nonZeroFee', { expiresAt: new Date(placedAt.getTime() - 1) }],
  ['nonZeroFee', { feeAmount: 4n }],
  ['nonZeroFee', { offeredSellAmount: 2n }],
  ['nonZeroFee', { offeredBuyAmount: null }],
])('%s: the order signs the fee of a quote with %o', (error, changes) => {
  const { sellToken, buyToken, kind, sellAmount: offeredSellAmount, buyAmount: offeredBuyAmount } = order
  const expiresAt = new Date(placedAt.getTime() + 1)
  const quote = { id: 7, sellToken, buyToken, kind, feeAmount: 3n, offeredSellAmount, offeredBuyAmount, expiresAt }
  const placed = { ...order, feeAmount: 3n }
  expect(computePlacementError(placed, networks.sepolia, new Set(), null, { ...quote, ...changes }, placedAt)).toBe(
    error,
  )
})
