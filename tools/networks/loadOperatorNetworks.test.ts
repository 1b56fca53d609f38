import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'edgebook-networks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const address = (byte: string) => `0x${byte.repeat(20)}`
const own = {
  ...{ label: 'Own', chainId: 77_001, nativeSymbol: 'OWN', blockTimeSeconds: 2 },
  wrappedNative: address('a1'),
  usdReference: { address: address('c1'), decimals: 6 },
}

test('a command knows a network of the operator', () => {
  writeFileSync(join(folder, 'networks.json'), JSON.stringify({ own }))
  const run = (network: string) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../contracts.ts'), network], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    }).stderr
  expect(run('own')).toBe('RPC_URL is missing in .env.own\n')
  expect(run('other')).toMatch(/^npm run contracts: one network of mainnet, .*, own\n$/)
})
