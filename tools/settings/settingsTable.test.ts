import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { settingFacts } from '#shared/settings/setting.ts'
import { programSchema } from '../../functions/affiliate/program.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import type { WorkerConfig } from '../workers/workerConfig.ts'
import { sharedWorkerGroups, workerGroups } from '../workers/workerGroups.ts'
import { findFields, isSecret, settingsSchemas, settingsTable } from './settingsTable.ts'

const root = join(import.meta.dirname, '../..')
const fields = Object.entries(settingsSchemas).flatMap(([group, schema]) =>
  Object.entries(findFields(schema)).map(([name, field]) => ({ group, name, field, facts: settingFacts.get(field) })),
)

let bases: Record<string, WorkerConfig>

beforeAll(async () => {
  bases = await readWorkerConfigs(root)
})

test('every Worker has a schema, and every field of it is a described setting or a binding', () => {
  expect(Object.keys(settingsSchemas).sort()).toEqual(Object.keys(bases).sort())
  const rules: Record<string, object> = { ...workerGroups, ...sharedWorkerGroups }
  for (const { group, name, facts } of fields) {
    const isBinding = JSON.stringify([{ ...bases[group], vars: {} }, rules[group]]).includes(`"${name}"`)
    expect(facts !== undefined, `${name} of ${group} is a setting or a binding`).toBe(!isBinding)
  }
})

test('Workers that read the same setting have the same description of it', () => {
  for (const { group, name, facts } of fields) {
    if (!facts) continue
    const { groups, ...row } = settingsTable[name] ?? { groups: [] }
    expect(row, name).toEqual(facts)
    expect(groups, name).toContain(group)
  }
})

test('every default is accepted by its own schema', () => {
  const withDefault = fields.filter(({ facts }) => facts?.default !== undefined)
  expect(withDefault.length).toBeGreaterThan(40)
  for (const { name, field, facts } of withDefault)
    expect(field.parse(undefined), name).toEqual(field.parse(facts?.default))
})

test('the vars of wrangler.toml are settings of the Worker', () => {
  for (const [group, { vars = {} }] of Object.entries(bases))
    for (const name of Object.keys(vars)) expect(settingsTable[name]?.groups, name).toContain(group)
})

test('marks every setting that sounds like a secret as one', () => {
  for (const name of Object.keys(settingsTable))
    if (/(KEYS?|TOKEN|SECRET|PASSWORD|DATABASE_URL)$|^(MAINNET_)?RPC_URLS?$/.test(name))
      expect(isSecret(name), name).toBe(!name.includes('PUBLIC'))
})

test('rejects a schema whose fields cannot be listed', () => {
  expect(() => findFields(z.string())).toThrow('settingsSchema must be an object')
})

test('defaults to the affiliate terms of docs/affiliate.md', () => {
  expect(programSchema.parse('{}')).toEqual({
    rewardAmount: 20,
    triggerVolume: 250_000,
    timeCapDays: 90,
    volumeCap: 2_500_000,
    revenueSplitAffiliatePct: 50,
    revenueSplitTraderPct: 50,
    revenueSplitDaoPct: 0,
  })
})
