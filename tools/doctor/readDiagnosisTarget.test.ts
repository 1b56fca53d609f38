import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NetworkName } from '#shared/networks.ts'
import { readDiagnosisTarget } from './readDiagnosisTarget.ts'

const root = join(import.meta.dirname, '../..')
const complete = {
  CONTRACTS: 'canonical',
  RPC_URL: 'https://node.example',
  SOLVERS: '[{"name":"direct","strategy":"direct"}]',
  SOLVER_PRIVATE_KEY_DIRECT: `0x${'11'.repeat(32)}`,
}
const shared = { DATABASE_URL: 'postgres://user:password@host.example/book' }

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'edgebook-target-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const read = async (files: Record<string, Record<string, string>>, network: NetworkName = 'sepolia') => {
  for (const [file, settings] of Object.entries(files)) {
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`)
    writeFileSync(join(dir, file), lines.join(''))
  }
  const options = { root, dir, network, environment: 'production', variables: {} } as const
  const { target, findings } = await readDiagnosisTarget(options)
  const toLine = ({ name, detail, remedy }: (typeof findings)[number]) =>
    `${name}: ${detail} → ${remedy?.split(':')[0]}`
  return { target, lines: findings.map(toLine) }
}

test.each([
  ['no URL', 'host.example/book'],
  ['no password', 'postgres://user@host.example/book'],
])('a database with %s is one fault of its file, and is not connected to', async (_, databaseUrl) => {
  const { target, lines } = await read({ '.env.shared': { DATABASE_URL: databaseUrl }, '.env.sepolia': complete })
  const fault = 'postgres://user:password@host/database, with a password'
  expect(lines).toEqual([`setting DATABASE_URL: ${fault} → fix .env.shared`])
  expect(target.databaseUrls).toEqual([])
})

test('a malformed node is one fault, of its own network, and is not requested', async () => {
  const files = { '.env.shared': shared, '.env.sepolia': { ...complete, RPC_URL: 'htp://node.example' } }
  const fault = 'setting RPC_URL: an http or https URL, or several separated by commas → fix .env.sepolia'
  const { target, lines } = await read(files)
  expect([target.rpcUrl, lines]).toEqual([undefined, [fault]])
  const beside = await read({ ...files, '.env.base': complete }, 'base')
  expect(beside.lines).toEqual([fault])
})

test.each([
  [{ strategy: 'dirrect' }, 'one of direct, multihop → at [0].strategy'],
  [{ url: 'https://a.example' }, 'an address: 0x and 40 hex digits → at [0].address'],
  [{ strategy: 'direct', timeoutMs: 1 }, 'only the documented fields → at [0].timeoutMs'],
])('a solver %j is one fault with its place, and no account is checked', async (solver, fault) => {
  const SOLVERS = JSON.stringify([{ name: 'direct', ...solver }])
  const { target, lines } = await read({ '.env.shared': shared, '.env.sepolia': { ...complete, SOLVERS } })
  expect(lines).toEqual([`setting SOLVERS: ✖ ${fault} → fix .env.sepolia`])
  expect(target.solvers).toBeUndefined()
})

test('a fault shows the value, but not that of a secret', async () => {
  const own = { ...complete, SOLVE_TIME_MS: '5s', SOLVER_PRIVATE_KEY_DIRECT: '0x1234' }
  const { lines } = await read({ '.env.shared': shared, '.env.sepolia': own })
  expect(lines).toEqual([
    'setting SOLVER_PRIVATE_KEY_DIRECT: not a private key: 0x and 64 hexadecimal digits → fix .env.sepolia',
    'setting SOLVE_TIME_MS: a number; got "5s" → fix .env.sepolia',
  ])
})
