import fc from 'fast-check'
import { bytesToHex, hashMessage } from 'viem'
import { expect, test } from 'vitest'
import { computeEthsignDigest } from './computeEthsignDigest.ts'

test('computeEthsignDigest is the hash of a personal message of 32 raw bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (raw) => {
      expect(computeEthsignDigest(bytesToHex(raw))).toBe(hashMessage({ raw }))
    }),
  )
  expect(() => computeEthsignDigest('0x1234')).toThrow(RangeError)
})
