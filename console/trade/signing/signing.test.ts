import { hashTypedData, keccak256, toHex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { computeCancellationsDigest } from '../../../functions/orders/cancellation/computeCancellationsDigest.ts'
import { computeOrderDigest } from '../../../shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '../../../shared/signing/domainSeparator.ts'
import { packOrderUid } from '../../../shared/signing/orderUid.ts'
import { buildCancellation } from '../../actions/buildCancellation.ts'
import { orderTypes } from '../../actions/orderTypes.ts'
import { readInFlight } from '../../actions/readInFlight.ts'
import type { OrderTypedData } from './buildOrder.ts'
import { toOrderUid } from './toOrderUid.ts'

const settlementContract = '0x9008d19f58aabd9ed0d60971565aa8510560ab41'
const network = { chainId: 11_155_111, settlementContract } as const
const separator = computeDomainSeparator(network.chainId, settlementContract)
const owner = `0x${'0f'.repeat(20)}` as const

test('computes the UID like the order book', () => {
  const order = {
    sellToken: `0x${'a1'.repeat(20)}`,
    buyToken: `0x${'b2'.repeat(20)}`,
    receiver: zeroAddress,
    sellAmount: 10n ** 18n,
    buyAmount: 2_000_000_000n,
    validTo: 1_800_000_000,
    feeAmount: 0n,
    kind: 'sell',
    partiallyFillable: true,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  } as const
  const appDataHash = keccak256(toHex('{}'))
  const typedData: OrderTypedData = {
    domain: { name: 'Gnosis Protocol', version: 'v2', chainId: network.chainId, verifyingContract: settlementContract },
    types: orderTypes,
    primaryType: 'Order',
    message: {
      ...order,
      sellAmount: '1000000000000000000',
      buyAmount: '2000000000',
      feeAmount: '0',
      appData: appDataHash,
    },
  }
  const digest = computeOrderDigest(separator, { ...order, appDataHash })
  expect(toOrderUid(typedData, owner)).toBe(packOrderUid(digest, owner, order.validTo))
})

test('builds the cancellation that the order book checks', () => {
  const uid = `0x${'d4'.repeat(56)}` as const
  const { domain, types, primaryType, message } = buildCancellation(network, [uid])
  const digest = hashTypedData({
    domain: { ...domain, verifyingContract: settlementContract },
    types: { OrderCancellations: types.OrderCancellations },
    primaryType,
    message,
  })
  expect(digest).toBe(computeCancellationsDigest(separator, [uid]))
})

test('reads the auction and deadline of an order in flight', () => {
  expect(readInFlight('0;auction=4711;deadline=10283145')).toEqual({ auction: '4711', deadline: '10283145' })
  expect(readInFlight('0;auction=4711')).toEqual({ auction: '4711', deadline: null })
  expect(readInFlight(null)).toBeNull()
})
