import { hashOrderCancellations } from '@cowprotocol/contracts'
import fc from 'fast-check'
import { bytesToHex, concatHex, type Hex, hashTypedData, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { computeCancellationsDigest } from './computeCancellationsDigest.ts'

const verifyingContract = '0x9008d19f58aabd9ed0d60971565aa8510560ab41'
const domain = { name: 'Gnosis Protocol', version: 'v2', chainId: 1, verifyingContract } as const
const domainSeparator = computeDomainSeparator(1, verifyingContract)
const first: Hex = `0x${'11'.repeat(56)}`
const second: Hex = `0x${'22'.repeat(56)}`

describe('computeCancellationsDigest', () => {
  test.each<[Hex[], Hex]>([
    [[], '0x56acdb3034898c6c23971cb3f92c32a4739e89a13c85282547025583a93911bd'],
    [[first, second], '0x405f6cb53d87901a5385a824a99c94b43146547f5ea3623f8d2f50b925e97a8b'],
  ])('wraps the published struct hash of %o', (orderUids, structHash) => {
    expect(computeCancellationsDigest(domainSeparator, orderUids)).toBe(
      keccak256(concatHex(['0x1901', domainSeparator, structHash])),
    )
  })

  test('agrees with viem and the library of the settlement contract on any list', () => {
    const types = { OrderCancellations: [{ name: 'orderUids', type: 'bytes[]' }] } as const
    const uid = fc.uint8Array({ minLength: 56, maxLength: 56 }).map((bytes) => bytesToHex(bytes))
    fc.assert(
      fc.property(fc.array(uid, { maxLength: 8 }), (orderUids) => {
        const digest = computeCancellationsDigest(domainSeparator, orderUids)
        expect(digest).toBe(hashTypedData({ domain, types, primaryType: 'OrderCancellations', message: { orderUids } }))
        expect(digest).toBe(hashOrderCancellations(domain, orderUids))
      }),
    )
  })

  test('depends on the order of the UIDs', () => {
    expect(computeCancellationsDigest(domainSeparator, [first, second])).not.toBe(
      computeCancellationsDigest(domainSeparator, [second, first]),
    )
  })

  test('rejects a list with a malformed UID', () => {
    expect(() => computeCancellationsDigest(domainSeparator, [first, '0x22'])).toThrow(RangeError)
  })
})
