import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readNetworks } from '#shared/networks/readNetworks.ts'
import { readOperatorNetworks } from './readOperatorNetworks.ts'

const folder = mkdtempSync(join(tmpdir(), 'edgebook-networks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const address = (byte: string) => `0x${byte.repeat(20)}`
const own = {
  ...{ label: 'Own', chainId: 77_001, nativeSymbol: 'OWN', blockTimeSeconds: 2 },
  wrappedNative: address('a1'),
  usdReference: { address: address('c1'), decimals: 6 },
}

const write = (networks: unknown) => writeFileSync(join(folder, 'networks.json'), JSON.stringify(networks))
const run = (network: string) =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../contracts.ts'), network], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  }).stderr

test('a command knows a network of the operator', () => {
  write({ own })
  expect(run('own')).toBe('RPC_URL is missing in .env.own\n')
  expect(run('other')).toMatch(/^npm run contracts: one network of mainnet, .*, own; got other\n$/)
})

test.each([
  ['a list', [own], /^networks\.json: /],
  ['no fields', { own: 3 }, /^networks\.json: own: /],
  ['a wrong field', { own: { ...own, chainId: '5' } }, /^network own: chainId: /],
])('a wrong file is an error that says where: %s', (_, networks, message) => {
  write(networks)
  expect(() => readNetworks(readOperatorNetworks(folder, false, {}))).toThrow(message)
})

test('the error is the only line of a command', () => {
  write({ own: { ...own, chainId: 1 } })
  expect(run('own')).toBe('networks mainnet and own both have 1\n')
})
