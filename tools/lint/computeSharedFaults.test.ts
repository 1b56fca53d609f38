import { expect, test } from 'vitest'
import { computeSharedFaults } from './computeSharedFaults.ts'

const faultsOf = (path: string, ...modules: string[]) =>
  computeSharedFaults([{ path, text: modules.map((module) => `import { a } from '${module}'\n`).join('') }])

test('imports inside shared/ run one way', () => {
  expect(faultsOf('shared/chain/a.ts', './b.ts', './calls/c.ts', '../networks.ts', '../mapBounded.ts', 'viem')).toEqual(
    [],
  )
  expect(faultsOf('shared/chain/calls/a.ts', '../../http/errors.ts', '../erc20Abi.ts')).toEqual([])
  expect(faultsOf('functions/orders/a.ts', './b.ts', '#shared/orders/c.ts')).toEqual([])
})

test('an import against the order of the folders is a fault', () => {
  expect(faultsOf('shared/chain/calls/a.ts', '../../hooks/b.ts')).toEqual([
    'shared/chain/calls/a.ts imports shared/hooks/b.ts: chain comes before hooks in shared/',
  ])
  expect(faultsOf('shared/validation/a.ts', '../networks.ts')).toHaveLength(1)
  expect(faultsOf('shared/a.ts', './amounts/b.ts')).toHaveLength(1)
})

test('a folder without a place in the order is a fault', () => {
  expect(faultsOf('shared/other/a.ts')).toEqual(['shared/other/a.ts: its folder has no place in the order of shared/'])
})
