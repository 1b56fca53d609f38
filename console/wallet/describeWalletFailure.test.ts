import { describe, expect, test } from 'vitest'
import { describeWalletFailure, isUnknownChain } from './describeWalletFailure.ts'

describe('describeWalletFailure', () => {
  test('says plainly what a code means', () => {
    expect(describeWalletFailure({ code: 4001, message: 'User denied' })).toMatch(/^You rejected the request/)
    expect(describeWalletFailure(Object.assign(new Error('a'), { code: -32002 }))).toMatch(/answer that one first/)
  })

  test('repeats what else the wallet says, within bounds', () => {
    expect(describeWalletFailure({ code: -32000, message: 'nonce too low' })).toBe('Your wallet says: nonce too low')
    expect(describeWalletFailure(new Error('e'.repeat(5_000))).length).toBeLessThan(400)
  })

  test.each([undefined, null, 7, {}, { message: {} }])('survives %s', (thrown) => {
    expect(describeWalletFailure(thrown)).toBe('Your wallet failed without saying why.')
  })
})

test('isUnknownChain', () => {
  expect(isUnknownChain({ code: 4902 })).toBe(true)
  expect(isUnknownChain({ code: -32603, data: { originalError: { code: 4902 } } })).toBe(true)
  expect(isUnknownChain({ code: 4001 })).toBe(false)
})
