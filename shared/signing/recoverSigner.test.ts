import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { bytesToHex, concatHex, type Hex, numberToHex, recoverAddress, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { recoverSigner } from './recoverSigner.ts'

const groupOrder = secp256k1.Point.Fn.ORDER
const digest = '0x0e45d31fd31b28c26031cdd81b35a8938b2ccca2cc425fcf440fd3bfed1eede9'
const owner = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const eip712Signature =
  '0x59c0f5c151071c1320575f6da826a6c276525bbe733234bad1afb2879657d65d2afe6812746f4cc97f28f3a5dfdbfc7087511695d23da5e9792cd7ed6c9ddeb71c'
const ethsignSignature =
  '0xbf3bc5a9b60d08dc05768320553ba59a6f301d985903618cfc002e8a61cb78b55d4a474a43a60193d90cda35ff2764f3913b47e5b5b87770064f549fe871afcc1b'

const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))
const account = fc
  .bigInt(1n, groupOrder - 1n)
  .map((privateKey) => privateKeyToAccount(numberToHex(privateKey, { size: 32 })))

const r = slice(eip712Signature, 0, 32)
const s = slice(eip712Signature, 32, 64)
const sign = (r: bigint | Hex, s: bigint | Hex, v: number): Hex =>
  concatHex([
    typeof r === 'bigint' ? numberToHex(r, { size: 32 }) : r,
    typeof s === 'bigint' ? numberToHex(s, { size: 32 }) : s,
    numberToHex(v, { size: 1 }),
  ])

describe('recoverSigner', () => {
  test('recovers the signer of the published signatures', () => {
    expect(recoverSigner('eip712', digest, eip712Signature)).toEqual({ signer: owner })
    expect(recoverSigner('ethsign', digest, ethsignSignature)).toEqual({ signer: owner })
  })

  test('distinguishes the schemes', () => {
    expect(recoverSigner('ethsign', digest, eip712Signature).signer).not.toBe(owner)
    expect(recoverSigner('eip712', digest, ethsignSignature).signer).not.toBe(owner)
  })

  test('recovers any signer of any digest, in lower case', async () => {
    await fc.assert(
      fc.asyncProperty(account, word, async (account, digest) => {
        const signer = account.address.toLowerCase()
        const eip712 = await account.sign({ hash: digest })
        expect(recoverSigner('eip712', digest, eip712)).toEqual({ signer })
        const ethsign = await account.signMessage({ message: { raw: digest } })
        expect(recoverSigner('ethsign', digest, ethsign)).toEqual({ signer })
      }),
    )
  })

  test('agrees with viem on arbitrary r and s, with or without a signer', async () => {
    await fc.assert(
      fc.asyncProperty(word, word, word, fc.constantFrom(27, 28), async (digest, r, s, v) => {
        const signature = sign(r, s, v)
        const expected = await recoverAddress({ hash: digest, signature }).catch(() => undefined)
        expect(recoverSigner('eip712', digest, signature).signer).toBe(expected?.toLowerCase())
      }),
    )
  })

  test('accepts the bare parity as v', () => {
    expect(recoverSigner('eip712', digest, sign(r, s, 1))).toEqual({ signer: owner })
    expect(recoverSigner('eip712', digest, sign(r, s, 28))).toEqual({ signer: owner })
    const other = recoverSigner('eip712', digest, sign(r, s, 27)).signer
    expect(other).toMatch(/^0x[0-9a-f]{40}$/)
    expect(other).not.toBe(owner)
    expect(recoverSigner('eip712', digest, sign(r, s, 0))).toEqual({ signer: other })
  })

  test('accepts a high s, like ecrecover', () => {
    const highS = groupOrder - BigInt(s)
    expect(highS > groupOrder / 2n).toBe(true)
    expect(recoverSigner('eip712', digest, sign(r, highS, 27))).toEqual({ signer: owner })
  })

  test.each([2, 3, 26, 29, 30, 35, 255])('rejects v %d', (v) => {
    expect(recoverSigner('eip712', digest, sign(r, s, v))).toEqual({ failure: 'malformed' })
  })

  test.each<Hex>(['0x', slice(eip712Signature, 0, 64), `${eip712Signature}00`, `0x${'zz'.repeat(65)}`, owner])(
    'has no signer of %s',
    (signature) => {
      expect(recoverSigner('eip712', digest, signature)).toEqual({ failure: 'malformed' })
    },
  )

  test.each([
    [0n, BigInt(s)],
    [BigInt(r), 0n],
    [groupOrder, BigInt(s)],
    [BigInt(r), groupOrder],
    [2n ** 256n - 1n, BigInt(s)],
    [BigInt(r), 2n ** 256n - 1n],
  ])('rejects r %d with s %d', (r, s) => {
    expect(recoverSigner('eip712', digest, sign(r, s, 27))).toEqual({ failure: 'outOfRange' })
  })

  test('has no signer when no point has the abscissa r', () => {
    // 5³ + 7 is no square modulo the field prime
    expect(recoverSigner('eip712', digest, sign(5n, BigInt(s), 27))).toEqual({ failure: 'noSigner' })
  })

  test('has no signer when the key would be the point at infinity', () => {
    // R = G and s = digest: s·R − digest·G vanishes
    const generator = secp256k1.Point.BASE.toAffine()
    const v = generator.y & 1n ? 28 : 27
    const hash = numberToHex(12345n, { size: 32 })
    expect(recoverSigner('eip712', hash, sign(generator.x, 12345n, v))).toEqual({ failure: 'noSigner' })
    expect(recoverSigner('eip712', hash, sign(generator.x, 12346n, v)).signer).toBeDefined()
  })

  test('throws for a malformed digest', () => {
    expect(() => recoverSigner('eip712', '0x1234', eip712Signature)).toThrow(RangeError)
    expect(() => recoverSigner('ethsign', '0x1234', eip712Signature)).toThrow(RangeError)
  })
})
