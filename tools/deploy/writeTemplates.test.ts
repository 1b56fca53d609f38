import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeTemplates } from './writeTemplates.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'edgebook-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const read = (name: string) => readFile(join(dir, name), 'utf8')

test('required settings have an empty line, others are comments, and only the user may read the files', async () => {
  await writeTemplates({ dir, network: 'sepolia', environment: 'production' }, () => undefined)
  const [shared, own] = [await read('.env.shared'), await read('.env.sepolia')]
  expect(own).toMatch(/^RPC_URL=$/m)
  expect(own).toMatch(/^# SOLVE_TIME_MS=\d+$/m)
  expect(shared).toMatch(/^# MAINNET_RPC_URL=$/m)
  expect((await stat(join(dir, '.env.sepolia'))).mode & 0o777).toBe(0o600)
})

test('an existing file is unchanged', async () => {
  await writeFile(join(dir, '.env.shared'), 'DOMAIN=api.example.org\n')
  const lines: string[] = []
  await writeTemplates({ dir, network: 'sepolia', environment: 'production' }, (line) => lines.push(line))
  expect(await read('.env.shared')).toBe('DOMAIN=api.example.org\n')
  expect(lines).toEqual(['.env.shared exists: unchanged', expect.stringMatching(/^\.env\.sepolia written/)])
})
