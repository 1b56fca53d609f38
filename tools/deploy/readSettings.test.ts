import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from './readSettings.ts'

let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'settings-'))
  await writeFile(join(dir, '.env.shared'), 'DATABASE_URL=postgres://shared\nCOINGECKO_API_KEY="a$b"\nDOMAIN=\n')
  await writeFile(join(dir, '.env.sepolia'), '# a comment\nRPC_URL=http://a\n')
  await writeFile(join(dir, '.env.base'), 'DATABASE_URL=postgres://own\n')
  await writeFile(join(dir, '.env.gnosis.staging'), 'RPC_URL=http://b\n')
})

afterAll(() => rm(dir, { recursive: true }))

test('gives a network its own settings, else the shared ones, and ignores empty values', () => {
  const { shared, networks } = readSettings(dir, 'production', {})
  expect(shared).toEqual({ DATABASE_URL: 'postgres://shared', COINGECKO_API_KEY: 'a$b' })
  expect([...networks]).toEqual([
    ['base', { DATABASE_URL: 'postgres://own' }],
    ['sepolia', { DATABASE_URL: 'postgres://shared', RPC_URL: 'http://a' }],
  ])
})

test('reads staging from its own files, and lets environment variables win', () => {
  const variables = {
    EDGEBOOK_GNOSIS_RPC_URL: 'http://c',
    EDGEBOOK_ARBITRUM_ONE_RPC_URL: 'http://d',
    EDGEBOOK_SHARED_DATABASE_URL: 'postgres://e',
    RPC_URL: 'http://of-something-else',
  }
  const { networks } = readSettings(dir, 'staging', variables)
  expect([...networks]).toEqual([
    ['gnosis', { DATABASE_URL: 'postgres://e', RPC_URL: 'http://c' }],
    ['arbitrum_one', { DATABASE_URL: 'postgres://e', RPC_URL: 'http://d' }],
  ])
})
