import { expect, test } from 'vitest'
import { networks } from '../../../shared/networks.ts'
import { computeOrderDigest } from '../../../shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '../../../shared/signing/domainSeparator.ts'
import { packOrderUid } from '../../../shared/signing/orderUid.ts'
import { sampleDraft } from '../../testing/sampleDraft.ts'
import type { Draft } from '../draft/draft.ts'
import { buildNativeSale, computeNativeSaleUid } from './buildNativeSale.ts'

const owner: `0x${string}` = `0x${'11'.repeat(20)}`
const terms = { signed: { sellAmount: 10n ** 18n, buyAmount: 2_950_000_000n }, owner, quoteId: 7, validTo: 2_000 }
const build = (changes: Partial<Draft> = {}, place: Partial<typeof terms> = {}) =>
  buildNativeSale(sampleDraft(changes), { ...terms, ...place })

test('a sale has the displayed terms, and the owner as its receiver', () => {
  expect(build()).toMatchObject({
    buyToken: sampleDraft().buy?.address,
    receiver: owner,
    ...terms.signed,
    feeAmount: 0n,
    validTo: 2_000,
    partiallyFillable: false,
    quoteId: 7n,
  })
})

test('a sale has the recipient and partial fills of the form', () => {
  const receiver = `0x${'22'.repeat(20)}`
  expect(build({ receiver, isPartiallyFillable: true })).toMatchObject({ receiver, partiallyFillable: true })
})

test('an order without an offer names no quote', () => {
  expect(buildNativeSale(sampleDraft(), { ...terms, quoteId: null })?.quoteId).toBe(0n)
})

test('a sale cannot have an exact buy amount', () => {
  expect(build({ kind: 'buy' })).toBeUndefined()
})

test('the UID is that of the contract’s order for the wrapped token, which never expires', () => {
  const { chainId, settlementContract, wrappedNative, ethFlow } = networks.sepolia
  const order = build()
  if (!order) throw new Error('no order')
  const toHex = (text: string) => text as `0x${string}`
  const digest = computeOrderDigest(computeDomainSeparator(chainId, settlementContract), {
    ...terms.signed,
    sellToken: wrappedNative,
    buyToken: toHex(order.buyToken),
    receiver: owner,
    validTo: 0xffffffff,
    appDataHash: toHex(order.appData),
    feeAmount: 0n,
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  })
  const place = { chainId, settlementContract, wrappedNative, ethFlow }
  expect(computeNativeSaleUid(order, place)).toBe(packOrderUid(digest, ethFlow, 0xffffffff))
})
