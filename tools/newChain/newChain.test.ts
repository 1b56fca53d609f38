import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeEntry } from './writeChain.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'edgebook-new-chain-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const run = (...args: string[]): string => {
  const env = { ...process.env, OPERATOR_PRIVATE_KEY: `0x${'11'.repeat(32)}` }
  const program = join(import.meta.dirname, '../newChain.ts')
  return spawnSync('node', [program, '77001', ...args], { cwd: dir, env, encoding: 'utf8' }).stderr
}

test('a wrong option ends the command before the chain is needed', () => {
  expect(run('--rpc', 'http://127.0.0.1:9', '--amount', '1e15')).toBe('--amount: a positive whole number; got 1e15\n')
  expect(run('--rpc', '127.0.0.1:9')).toBe('--rpc: an http or https URL, or several separated by commas\n')
  writeFileSync(join(dir, '.env.chain_77001'), 'RPC_URL=http://127.0.0.1:8\n')
  expect(run('--rpc', 'http://127.0.0.1:9')).toMatch(/^--rpc is not what the settings files have/)
})

test('an entry that no command could read is not written', () => {
  const address = `0x${'11'.repeat(20)}`
  const chain = { chainId: 77001, label: 'a', nativeSymbol: 'ETH', blockTimeSeconds: 2, wrappedNative: address }
  const entry = { ...chain, usdReference: { address, decimals: 6 } }
  expect(() => writeEntry(dir, 'Two-2', entry)).toThrow('network Two-2: name: lower-case letters')
  expect(existsSync(join(dir, 'networks.json'))).toBe(false)
  writeEntry(dir, 'two', entry)
})
