import { pad, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { isAccepted } from './signatureCall.ts'

test('a signature is accepted by a word that begins with the selector of isValidSignature', () => {
  const selector = toFunctionSelector('isValidSignature(bytes32,bytes)')
  expect(isAccepted(pad(selector, { dir: 'right', size: 32 }))).toBe(true)
  expect(isAccepted(selector)).toBe(false)
  expect(isAccepted(pad('0xffffffff', { dir: 'right', size: 32 }))).toBe(false)
  expect(isAccepted(undefined)).toBe(false)
})
