import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { normalizeSignature } from './normalizeSignature.ts'

const rs: Hex = `0x${'ab'.repeat(64)}`

test.each([
  ['00', '1b'],
  ['01', '1c'],
  ['1b', '1b'],
  ['1C', '1c'],
])('normalizeSignature turns v %s into %s', (v, normalized) => {
  expect(normalizeSignature(`${rs}${v}`)).toBe(`${rs}${normalized}`)
})

test.each<Hex>([rs, `${rs}02`, `${rs}1d`, `${rs}ff`, `${rs}1b1b`, '0x'])(
  'normalizeSignature rejects %s',
  (signature) => {
    expect(() => normalizeSignature(signature)).toThrow(RangeError)
  },
)
