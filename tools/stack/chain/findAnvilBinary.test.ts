import { accessSync, constants } from 'node:fs'
import { expect, test } from 'vitest'
import { findAnvilBinary } from './findAnvilBinary.ts'

test('finds an executable for this machine', () => {
  expect(() => accessSync(findAnvilBinary(), constants.X_OK)).not.toThrow()
})

test('rejects a missing one with the name of its package', () => {
  expect(() => findAnvilBinary('aix', 'x64')).toThrow(
    /^anvil is missing: npm did not install @foundry-rs\/anvil-aix-amd64 \(.*\)$/,
  )
})
