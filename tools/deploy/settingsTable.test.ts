import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { feeSettings } from '#shared/fees/feeSettings.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import type { WorkerConfig } from '../workers/workerConfig.ts'
import { isSecret, settingsTable } from './settingsTable.ts'

const root = join(import.meta.dirname, '../..')
/** What deriving gives, not whoever deploys. */
const derived = [
  'CACHE',
  'CLIENT_ADDRESS_HEADER',
  'NETWORK',
  'RPC_URLS',
  'SOLVER_NAME',
  'SOLVER_STRATEGY',
  'SOLVER_PRIVATE_KEY',
  'VERSION',
]
const services = ['AUCTIONS', 'TOKENS', 'NOTIFIER']
/** What is for a machine of one's own only. */
const never = ['ALLOW_PRIVATE_TARGETS', 'LOCAL_RPC_URLS']

let bases: Record<string, WorkerConfig>

beforeAll(async () => {
  bases = await readWorkerConfigs(root)
})

test('every setting that a Worker reads has a row that gives it to that Worker, and no row gives it what it does not read', () => {
  for (const [group, { vars, ...config }] of Object.entries(bases)) {
    const files = ['settings.ts', 'index.ts'].map((name) => join(root, 'functions', group, name)).filter(existsSync)
    const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
    const bindings = JSON.stringify(config)
    const read = [...text.matchAll(/^ {2,4}([A-Z][A-Z0-9_]+): /gm)].map(([, name = '']) => name)
    for (const name of read) {
      if ([...derived, ...never, ...services].includes(name) || bindings.includes(`"${name}"`)) continue
      const row = settingsTable[name]
      expect(row, `${name} of ${group}`).toBeDefined()
      if (row && row.groups.length > 0) expect(row.groups, name).toContain(group)
    }
    const given = Object.entries(settingsTable).filter(
      ([name, { groups }]) => !(name in feeSettings) && groups.some((each) => each === group),
    )
    for (const [name] of given) expect(read, `what ${group} reads`).toContain(name)
  }
})

test('whatever sounds like a secret is one', () => {
  const names = [...Object.keys(settingsTable), ...derived]
  for (const name of names)
    if (/(KEYS?|TOKEN|SECRET|PASSWORD|RPC_URLS?|DATABASE_URL)$/.test(name))
      expect(isSecret(name), name).toBe(!name.includes('PUBLIC'))
})
