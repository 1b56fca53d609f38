import { keccak256, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { hooksTrampolineAbi } from '#shared/chain/hooksTrampolineAbi.ts'
import { readCompiledContract } from './readCompiledContract.ts'

test('compiles the same source to the same bytes on every machine', () => {
  expect(keccak256(readCompiledContract('HooksTrampoline').creationCode)).toBe(
    '0x14da1e53265e0a22d9407ef090b2ee38470ce55038c55a617b209ec9fd7607af',
  )
})

test('compiles contracts with the interface that the Workers call', () => {
  const selectorsOf = (abi: readonly object[]) =>
    abi
      .flatMap((item) => ('type' in item && item.type === 'function' ? [toFunctionSelector(item as never)] : []))
      .sort()
  expect(selectorsOf(readCompiledContract('HooksTrampoline').abi)).toEqual(selectorsOf(hooksTrampolineAbi))
})

test('rejects an unknown contract with its name', () => {
  expect(() => readCompiledContract('Nothing')).toThrow('contracts/ has no Nothing.sol')
})
