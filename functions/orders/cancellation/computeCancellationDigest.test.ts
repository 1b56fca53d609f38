import fc from 'fast-check'
import { bytesToHex, type Hex, hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { recoverSigner } from '#shared/signing/recoverSigner.ts'
import { computeCancellationDigest } from './computeCancellationDigest.ts'

const verifyingContract = '0x9008d19f58aabd9ed0d60971565aa8510560ab41'
const domain = { name: 'Gnosis Protocol', version: 'v2', chainId: 1, verifyingContract } as const

describe('computeCancellationDigest', () => {
  test('is the digest of the published cancellation signatures', () => {
    const digest = computeCancellationDigest(
      '0xf8a1143d44c67470a791201b239ff6b0ecc8910aa9682bebd08145f5fd84722b',
      `0x${'2a'.repeat(56)}`,
    )
    const signer = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
    const eip712 =
      '0xf2c69310a4dbcd78feabfd802df296ca4650681e01872f667251916ed3e9a2e14928382316607594a77c620e4bc4536e6fe145ee993a5ccc38fda929e86830231b'
    const ethsign =
      '0x5fef0aed159777403f964da946b2b6c7d2ca6a931f009328c17ed481bf5fe25b46c8da3dfdca2657c9e6e7fbd3a1abbf52ee0ccaf610395fb2445256f5d24eb41b'
    expect(recoverSigner('eip712', digest, eip712)).toEqual({ signer })
    expect(recoverSigner('ethsign', digest, ethsign)).toEqual({ signer })
  })

  test('agrees with viem on any UID', () => {
    const types = { OrderCancellation: [{ name: 'orderUid', type: 'bytes' }] } as const
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 56, maxLength: 56 }), (bytes) => {
        const orderUid = bytesToHex(bytes)
        expect(computeCancellationDigest(computeDomainSeparator(1, verifyingContract), orderUid)).toBe(
          hashTypedData({ domain, types, primaryType: 'OrderCancellation', message: { orderUid } }),
        )
      }),
    )
  })

  test.each<Hex>(['0x', `0x${'2a'.repeat(55)}`, `0x${'2a'.repeat(57)}`, `0x${'zz'.repeat(56)}`])(
    'rejects %s',
    (uid) => {
      expect(() => computeCancellationDigest(computeDomainSeparator(1, verifyingContract), uid)).toThrow(RangeError)
    },
  )
})
