import { expect, test } from 'vitest'
import { computeImportFaults } from './computeImportFaults.ts'

const load = "import './networks/loadOperatorNetworks.ts'\n"
const other = "import { join } from 'node:path'\n"

test('networks are loaded before any other module', () => {
  const faultsOf = (text: string) => computeImportFaults([{ path: 'tools/x.ts', text }])
  expect(faultsOf(`${load}\n${other}`)).toEqual([])
  expect(faultsOf(`/** A command. */\n${load}\n${other}`)).toEqual([])
  expect(faultsOf(other)).toEqual([])
  expect(faultsOf(`import './other.ts'\n${other}`)).toEqual([])
  expect(faultsOf(`${other}${load}`)).toEqual([
    'tools/x.ts: ./networks/loadOperatorNetworks.ts must be the first import, with an empty line after it',
  ])
})
