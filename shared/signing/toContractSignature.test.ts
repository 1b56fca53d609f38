import { encodeSignatureData, SigningScheme } from '@cowprotocol/contracts'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { toContractSignature } from './toContractSignature.ts'

const owner = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const ecdsa: Hex = `0x${'ab'.repeat(64)}1b`

describe('toContractSignature', () => {
  test.each(['eip712', 'ethsign'] as const)('returns r ‖ s ‖ v with v 27 or 28 for %s', (scheme) => {
    expect(toContractSignature(scheme, owner, ecdsa)).toBe(ecdsa)
    expect(toContractSignature(scheme, owner, `0x${'ab'.repeat(64)}01`)).toBe(`0x${'ab'.repeat(64)}1c`)
    expect(() => toContractSignature(scheme, owner, '0x')).toThrow(RangeError)
  })

  test('returns the owner before the signature, which may be empty, for eip1271', () => {
    expect(toContractSignature('eip1271', owner, '0xC0FFEE')).toBe(`${owner}c0ffee`)
    expect(toContractSignature('eip1271', owner, '0x')).toBe(owner)
    expect(toContractSignature('eip1271', owner, '0xc0ffee')).toBe(
      encodeSignatureData({ scheme: SigningScheme.EIP1271, data: { verifier: owner, signature: '0xc0ffee' } }),
    )
    expect(() => toContractSignature('eip1271', owner, '0xc0ffe')).toThrow(RangeError)
    expect(() => toContractSignature('eip1271', owner, '0xzz')).toThrow(RangeError)
    expect(() => toContractSignature('eip1271', '0x1234', '0x')).toThrow(RangeError)
  })

  test('returns the owner for presign and any stored signature', () => {
    expect(toContractSignature('presign', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x')).toBe(owner)
    expect(toContractSignature('presign', owner, owner)).toBe(owner)
    expect(() => toContractSignature('presign', '0x1234', '0x')).toThrow(RangeError)
  })
})
