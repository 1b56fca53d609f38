import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Environment } from '../environment.ts'
import { readSettings } from '../readSettings.ts'
import { findCommonSettings } from './findCommonSettings.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'edgebook-environments-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const address = (byte: string) => `0x${byte.repeat(20)}`
const contracts = (byte: string) => `'${JSON.stringify({ settlement: address(byte), vaultRelayer: address('cc') })}'`
const write = (file: string, settings: Record<string, string>) =>
  writeFileSync(
    join(dir, file),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
const find = (environment: Environment, variables = {}) => {
  const own = readSettings(dir, environment, variables).networks.get('sepolia') ?? {}
  const found = findCommonSettings({ dir, network: 'sepolia', environment, own, variables })
  expect(found.every(({ place }) => place === 'sepolia')).toBe(true)
  return Object.fromEntries(found.map(({ setting, fault }) => [setting, fault]))
}

test.each([
  ['canonical', 'canonical', '0x9008d19f58aabd9ed0d60971565aa8510560ab41'],
  [contracts('ab'), contracts('AB'), address('ab')],
])('the settlement contract of %s in two environments is a fault of both', (production, staging, settlement) => {
  write('.env.sepolia', { CONTRACTS: production })
  expect(find('production')).toEqual({})
  write('.env.sepolia.staging', { CONTRACTS: staging })
  const toFault = (file: string) => ({ CONTRACTS: `${settlement} is the settlement contract of ${file} as well` })
  expect(find('production')).toEqual(toFault('.env.sepolia.staging'))
  expect(find('staging')).toEqual(toFault('.env.sepolia'))
})

test('a database and a solver key in two environments are faults, under other names and roles as well', () => {
  const production = { CONTRACTS: 'canonical', DATABASE_URL: 'postgres://a:1@ep-x-pooler.neon.tech/main' }
  write('.env.sepolia', { ...production, SOLVER_PRIVATE_KEY_A: '0x11' })
  write('.env.sepolia.staging', { CONTRACTS: 'staging', SOLVER_PRIVATE_KEY_B: '0x11' })
  write('.env.shared.staging', { DATABASE_URL: 'postgres://b:2@ep-x.neon.tech/main' })
  expect(find('staging')).toEqual({
    DATABASE_URL: '.env.sepolia has the same database',
    SOLVER_PRIVATE_KEY_B: '.env.sepolia has the same key',
  })
  write('.env.shared.staging', { DATABASE_URL: 'postgres://b:2@ep-x.neon.tech/staging' })
  expect(find('staging')).toEqual({ SOLVER_PRIVATE_KEY_B: '.env.sepolia has the same key' })
})

test('a variable wins over the file of its own environment', () => {
  write('.env.sepolia', { CONTRACTS: 'canonical' })
  write('.env.sepolia.staging', { CONTRACTS: 'staging' })
  expect([find('production'), find('staging')]).toEqual([{}, {}])
  expect(find('staging', { EDGEBOOK_SEPOLIA_CONTRACTS: 'canonical' })).toHaveProperty('CONTRACTS')
})

test('contracts of the other environment that cannot be read are its own fault', () => {
  write('.env.sepolia', { CONTRACTS: 'canonical' })
  write('.env.sepolia.staging', { CONTRACTS: 'elsewhere' })
  expect(find('production')).toEqual({})
})
