import fc from 'fast-check'
import { bytesToHex, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { packOrderUid, unpackOrderUid } from './orderUid.ts'

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => bytesToHex(bytes))

const digest = '0x0e45d31fd31b28c26031cdd81b35a8938b2ccca2cc425fcf440fd3bfed1eede9'
const owner = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const uid =
  '0x0e45d31fd31b28c26031cdd81b35a8938b2ccca2cc425fcf440fd3bfed1eede970997970c51812dc3a010c7d01b50e0d17dc79c8ffffffff'

describe('order UID', () => {
  test('equals the published UID of the published order', () => {
    expect(packOrderUid(digest, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 0xffffffff)).toBe(uid)
    expect(unpackOrderUid(uid)).toEqual({ digest, owner, validTo: 0xffffffff })
  })

  test('holds digest, owner and validTo in bytes 0, 32 and 52', () => {
    fc.assert(
      fc.property(hex(32), hex(20), fc.integer({ min: 0, max: 0xffffffff }), (digest, owner, validTo) => {
        const uid = packOrderUid(digest, owner, validTo)
        expect(uid).toBe(`${digest}${owner.slice(2)}${validTo.toString(16).padStart(8, '0')}`)
        expect(unpackOrderUid(uid)).toEqual({ digest, owner, validTo })
      }),
    )
  })

  test('is unpacked to lower case', () => {
    expect(unpackOrderUid(`0x${uid.slice(2).toUpperCase()}`)).toEqual({ digest, owner, validTo: 0xffffffff })
  })

  test.each<[Hex, Hex, number]>([
    ['0x00', owner, 0],
    [digest, digest, 0],
    [digest, owner, -1],
    [digest, owner, 2 ** 32],
    [digest, owner, 0.5],
  ])('rejects %s, %s, %d', (digest, owner, validTo) => {
    expect(() => packOrderUid(digest, owner, validTo)).toThrow(RangeError)
  })

  test.each<Hex>(['0x', uid.slice(0, -2) as Hex, `${uid}00`, `0x${'zz'.repeat(56)}`, `00${uid.slice(2)}` as Hex])(
    'is not unpacked from %s',
    (uid) => {
      expect(() => unpackOrderUid(uid)).toThrow(RangeError)
    },
  )
})
