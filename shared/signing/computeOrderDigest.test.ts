import { hashOrder, type OrderBalance, type OrderKind } from '@cowprotocol/contracts'
import fc from 'fast-check'
import { bytesToHex, hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { orderTypes as types } from '#test/helpers/orders/orderTypes.ts'
import { maxUint256 } from '../amounts/uint256.ts'
import { computeOrderDigest } from './computeOrderDigest.ts'
import { computeDomainSeparator } from './domainSeparator.ts'
import type { Order } from './order.ts'

const chainId = 11155111
const verifyingContract = '0x9008d19f58aabd9ed0d60971565aa8510560ab41'
const domain = { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract } as const
const domainSeparator = computeDomainSeparator(chainId, verifyingContract)

const published: Order = {
  sellToken: `0x${'01'.repeat(20)}`,
  buyToken: `0x${'02'.repeat(20)}`,
  receiver: `0x${'03'.repeat(20)}`,
  sellAmount: 0x0246ddf97976680000n,
  buyAmount: 0xb98bc829a6f90000n,
  validTo: 0xffffffff,
  appDataHash: `0x${'00'.repeat(32)}`,
  feeAmount: 0x0de0b6b3a7640000n,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
}

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => bytesToHex(bytes))
const uint256 = fc.oneof(fc.constantFrom(0n, 1n, maxUint256), fc.bigInt(0n, maxUint256))
const order = fc.record<Order>({
  sellToken: hex(20),
  buyToken: hex(20),
  // the third oracle rejects the zero address, which means "unset" there
  receiver: hex(20).filter((address) => BigInt(address) !== 0n),
  sellAmount: uint256,
  buyAmount: uint256,
  validTo: fc.integer({ min: 0, max: 0xffffffff }),
  appDataHash: hex(32),
  feeAmount: uint256,
  kind: fc.constantFrom('sell', 'buy'),
  partiallyFillable: fc.boolean(),
  sellTokenBalance: fc.constantFrom('erc20', 'external', 'internal'),
  buyTokenBalance: fc.constantFrom('erc20', 'internal'),
})

const viemDigest = (order: Order) =>
  hashTypedData({ domain, types, primaryType: 'Order', message: { ...order, appData: order.appDataHash } })

describe('computeOrderDigest', () => {
  test('equals the published digest of the published order', () => {
    expect(computeOrderDigest('0x74e0b11bd18120612556bae4578cfd3a254d7e2495f543c569a92ff5794d9b09', published)).toBe(
      '0x0e45d31fd31b28c26031cdd81b35a8938b2ccca2cc425fcf440fd3bfed1eede9',
    )
  })

  test('agrees with viem on any order', () => {
    fc.assert(
      fc.property(order, (order) => {
        expect(computeOrderDigest(domainSeparator, order)).toBe(viemDigest(order))
      }),
      { numRuns: 500 },
    )
  })

  test('agrees with the library of the settlement contract on any order', () => {
    fc.assert(
      fc.property(order, (order) => {
        const digest = hashOrder(domain, {
          ...order,
          appData: order.appDataHash,
          kind: order.kind as OrderKind,
          sellTokenBalance: order.sellTokenBalance as OrderBalance,
          buyTokenBalance: order.buyTokenBalance as OrderBalance,
        })
        expect(computeOrderDigest(domainSeparator, order)).toBe(digest)
      }),
    )
  })

  test('accepts the zero address as unset receiver, and addresses in any case', () => {
    const unset: Order = { ...published, receiver: `0x${'00'.repeat(20)}` }
    expect(computeOrderDigest(domainSeparator, unset)).toBe(viemDigest(unset))
    const lower: Order = { ...published, sellToken: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' }
    const mixed: Order = { ...published, sellToken: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
    expect(computeOrderDigest(domainSeparator, mixed)).toBe(computeOrderDigest(domainSeparator, lower))
  })

  test.each<Partial<Order>>([
    { sellAmount: 2n ** 256n },
    { buyAmount: 2n ** 256n },
    { feeAmount: 2n ** 256n },
    { sellAmount: -1n },
    { buyAmount: -1n },
    { feeAmount: -1n },
    { validTo: 2 ** 32 },
    { validTo: -1 },
    { validTo: 1.5 },
    { validTo: Number.NaN },
    { sellToken: '0x' },
    { sellToken: `0x${'01'.repeat(21)}` },
    { buyToken: `0x${'01'.repeat(19)}` },
    { receiver: `0x${'0g'.repeat(20)}` },
    { appDataHash: `0x${'00'.repeat(31)}` },
    { kind: 'toString' as Order['kind'] },
    { sellTokenBalance: 'vault' as 'internal' },
    { buyTokenBalance: 'external' as 'internal' },
  ])('rejects %o', (wrong) => {
    expect(() => computeOrderDigest(domainSeparator, { ...published, ...wrong })).toThrow(RangeError)
  })

  test('rejects an incomplete domain separator', () => {
    expect(() => computeOrderDigest('0x1234', published)).toThrow(RangeError)
  })
})
