import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import { normalizeSignature } from './normalizeSignature.ts'

const rs: Hex = `0x${'ab'.repeat(64)}`

it.each([
  ['00', '1b'],
  ['01', '1c'],
  ['1b', '1b'],
  ['1C', '1c'],
])('normalizeSignature turns v %s into %s', (v, normalized) => {
  expect(normalizeSignature(`${rs}${v}`)).toBe(`${rs}${normalized}`)
})

it.each<Hex>([rs, `${rs}02`, `${rs}1d`, `${rs}ff`, `${rs}1b1b`, '0x'])('normalizeSignature rejects %s', (signature) => {
  expect(() => normalizeSignature(signature)).toThrow(RangeError)
})
