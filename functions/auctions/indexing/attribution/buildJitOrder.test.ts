import { type Address, type Hex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import type { Order } from '#shared/signing/order.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { SigningScheme } from '#shared/signing/signingScheme.ts'
import { buildJitOrder } from './buildJitOrder.ts'

const network = networks.sepolia
const owner: Address = `0x${'0c'.repeat(20)}`
const order: Order = {
  sellToken: `0x${'0a'.repeat(20)}`,
  buyToken: `0x${'0b'.repeat(20)}`,
  receiver: zeroAddress,
  sellAmount: 1n,
  buyAmount: 2n,
  validTo: 4_102_444_800,
  appDataHash: `0x${'ad'.repeat(32)}`,
  feeAmount: 0n,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
}
const settledAt = new Date('2026-11-01T00:00:00Z')
const digest = computeOrderDigest(computeDomainSeparator(network.chainId, network.settlementContract), order)
const trade = { orderUid: packOrderUid(digest, owner, order.validTo), owner, blockNumber: 9 }

const build = (scheme: SigningScheme, signature: Hex, changes: Partial<Order> = {}) =>
  buildJitOrder(
    network,
    {
      order: { ...order, ...changes },
      scheme,
      signature,
      executedSell: 1n,
      executedBuy: 2n,
      feeInSellToken: 0n,
    },
    trade,
    settledAt,
  )

test('builds the order with its signed terms and block and without the zero receiver', () => {
  expect(build('eip712', '0x11')).toMatchObject({
    uid: trade.orderUid,
    owner,
    receiver: null,
    sellAmount: 1n,
    signature: '0x11',
    signingScheme: 'eip712',
    settlementContract: network.settlementContract,
    class: 'liquidity',
    fullBalanceCheck: false,
    createdAt: settledAt,
    jitBlock: 9,
  })
})

test.each<[scheme: SigningScheme, signature: Hex, stored: Hex]>([
  ['ethsign', `0x${'11'.repeat(65)}`, `0x${'11'.repeat(65)}`],
  ['presign', owner, '0x'],
  ['eip1271', `${owner}c0ffee`, '0xc0ffee'],
  ['eip1271', `${owner}c0`, '0xc0'],
  ['eip1271', owner, '0x'],
])('stores the signature of %s %s as %s', (scheme, signature, stored) => {
  expect(build(scheme, signature)?.signature).toBe(stored)
})

test('returns undefined when calldata and event are of different orders', () => {
  expect(build('eip712', '0x11', { sellAmount: 2n })).toBeUndefined()
})
