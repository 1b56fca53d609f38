import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { eip1271MagicValue } from './eip1271MagicValue.ts'

test('eip1271MagicValue is the selector of isValidSignature', () => {
  expect(eip1271MagicValue).toBe(toFunctionSelector('isValidSignature(bytes32,bytes)'))
})
