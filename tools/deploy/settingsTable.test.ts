import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { feeSettings } from '#shared/fees/feeSettings.ts'
import { slippageSettings } from '#shared/slippage/slippageSettings.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import type { WorkerConfig } from '../workers/workerConfig.ts'
import { isSecret, settingsTable } from './settingsTable.ts'

const root = join(import.meta.dirname, '../..')
/** Set by deriving, not by the operator. */
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
/** Several Workers read them from one place. */
const sharedSettings = { ...feeSettings, ...slippageSettings }
const services = ['AUCTIONS', 'TOKENS', 'NOTIFIER', 'QUOTES']
/** For local stacks only. */
const never = ['ALLOW_PRIVATE_TARGETS', 'LOCAL_RPC_URLS']

let bases: Record<string, WorkerConfig>

beforeAll(async () => {
  bases = await readWorkerConfigs(root)
})

test('has a row for exactly the settings that each Worker reads', () => {
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
      ([name, { groups }]) => !(name in sharedSettings) && groups.some((each) => each === group),
    )
    for (const [name] of given) expect(read, `what ${group} reads`).toContain(name)
  }
})

test('marks every setting that sounds like a secret as one', () => {
  const names = [...Object.keys(settingsTable), ...derived]
  for (const name of names)
    if (/(KEYS?|TOKEN|SECRET|PASSWORD|RPC_URLS?|DATABASE_URL)$/.test(name))
      expect(isSecret(name), name).toBe(!name.includes('PUBLIC'))
})
