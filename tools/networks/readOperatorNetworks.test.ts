import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readOperatorNetworks } from './readOperatorNetworks.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'edgebook-networks-'))
})

afterEach(() => rmSync(dir, { recursive: true }))

const read = (isStaging = false, variables = {}) => JSON.parse(readOperatorNetworks(dir, isStaging, variables))

it('is empty without files and variables', () => {
  expect(read()).toEqual({})
})

it('adds the contracts of each settings file to networks.json', () => {
  writeFileSync(join(dir, 'networks.json'), '{"private":{"chainId":7,"contracts":"canonical"},"base":{"label":"B"}}')
  writeFileSync(join(dir, '.env.private'), `CONTRACTS='{"settlement":"0x1"}'\n`)
  writeFileSync(join(dir, '.env.sepolia'), 'CONTRACTS=staging\n')
  expect(read()).toEqual({
    private: { chainId: 7, contracts: { settlement: '0x1' } },
    base: { label: 'B' },
    sepolia: { contracts: 'staging' },
  })
})

it('reads the files of staging alone for staging', () => {
  writeFileSync(join(dir, '.env.sepolia'), 'CONTRACTS=canonical\n')
  writeFileSync(join(dir, '.env.sepolia.staging'), 'CONTRACTS=staging\n')
  expect(read(true)).toEqual({ sepolia: { contracts: 'staging' } })
  expect(read(false)).toEqual({ sepolia: { contracts: 'canonical' } })
})

it('lets a variable win, and the shared file fill in', () => {
  writeFileSync(join(dir, '.env.shared'), 'CONTRACTS=canonical\n')
  writeFileSync(join(dir, '.env.base'), 'RPC_URL=http://a\n')
  writeFileSync(join(dir, '.env.sepolia'), 'CONTRACTS=canonical\n')
  expect(read(false, { EDGEBOOK_SEPOLIA_CONTRACTS: 'staging' })).toEqual({
    base: { contracts: 'canonical' },
    sepolia: { contracts: 'staging' },
  })
})

it('names a file or setting that is not JSON', () => {
  writeFileSync(join(dir, '.env.base'), `CONTRACTS='{"settlement"'\n`)
  expect(() => read()).toThrow(/^CONTRACTS of base: /)
  writeFileSync(join(dir, 'networks.json'), '{')
  expect(() => read()).toThrow(/^networks\.json: /)
})
