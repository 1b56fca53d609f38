import { accessSync, constants } from 'node:fs'
import { expect, test } from 'vitest'
import { findAnvilBinary } from './findAnvilBinary.ts'

test('the program of this machine can be run', () => {
  expect(() => accessSync(findAnvilBinary(), constants.X_OK)).not.toThrow()
})

test('a missing one is one line that names the package', () => {
  expect(() => findAnvilBinary('aix', 'x64')).toThrow(
    /^anvil is missing: npm did not install @foundry-rs\/anvil-aix-amd64 \(.*\)$/,
  )
})
