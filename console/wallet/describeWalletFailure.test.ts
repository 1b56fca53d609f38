import { describe, expect, test } from 'vitest'
import { describeWalletFailure, isUnknownChain } from './describeWalletFailure.ts'

describe('describeWalletFailure', () => {
  test('explains known codes', () => {
    expect(describeWalletFailure({ code: 4001, message: 'User denied' })).toMatch(/^You rejected the request/)
    expect(describeWalletFailure(Object.assign(new Error('a'), { code: -32002 }))).toMatch(/complete that one first/)
  })

  test('repeats other wallet messages, shortened', () => {
    expect(describeWalletFailure({ code: -32000, message: 'nonce too low' })).toBe('Your wallet says: nonce too low')
    expect(describeWalletFailure(new Error('e'.repeat(5_000))).length).toBeLessThan(400)
  })

  test.each([undefined, null, 7, {}, { message: {} }])('handles %s', (thrown) => {
    expect(describeWalletFailure(thrown)).toBe('Your wallet failed without an error message.')
  })
})

test('a chain is unknown by the code of EIP-3326, also in a wrapped error', () => {
  expect(isUnknownChain({ code: 4902 })).toBe(true)
  expect(isUnknownChain({ code: -32603, data: { originalError: { code: 4902 } } })).toBe(true)
  expect(isUnknownChain({ code: 4001 })).toBe(false)
})
