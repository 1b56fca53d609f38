import { decodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { buildInvalidation, buildPresignature } from './settlementCalls.ts'

// as in GPv2Settlement
const abi = parseAbi([
  'function setPreSignature(bytes calldata orderUid, bool signed) external',
  'function invalidateOrder(bytes calldata orderUid) external',
])
const settlement = `0x${'9d'.repeat(20)}`
const uid = `0x${'ab'.repeat(56)}`

test.each([
  [buildPresignature, { functionName: 'setPreSignature', args: [uid, true] }],
  [buildInvalidation, { functionName: 'invalidateOrder', args: [uid] }],
])('%o encodes a call of the settlement contract', (build, expected) => {
  const { to, data } = build(settlement, uid)
  expect(to).toBe(settlement)
  expect(decodeFunctionData({ abi, data: data as Hex })).toEqual(expected)
})
