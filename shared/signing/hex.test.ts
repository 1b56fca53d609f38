import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { fromHex, toHex } from './hex.ts'

test('fromHex and toHex are each other’s inverse, in lower case', () => {
  expect(fromHex('0x00fFA0', 3, 'value')).toEqual(Uint8Array.of(0, 255, 160))
  expect(toHex(Uint8Array.of(0, 255, 160))).toBe('0x00ffa0')
})

test.each<string>(['0x', '00ffa0', '0x00ffa', '0x00ffa000', '0x00ffag', '0X00ffa0', '0x 0ffa0'])(
  'fromHex rejects %s where 3 bytes are expected',
  (hex) => {
    expect(() => fromHex(hex as Hex, 3, 'value')).toThrow(RangeError)
  },
)
