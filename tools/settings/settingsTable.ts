import { z } from 'zod'
import { databaseUrlSchema } from '#shared/networks/networkSettings.ts'
import { type SettingFacts, setting, settingFacts } from '#shared/settings/setting.ts'
import * as accounts from '../../functions/accounts/settings.ts'
import * as affiliate from '../../functions/affiliate/settings.ts'
import * as auctions from '../../functions/auctions/settings.ts'
import * as debug from '../../functions/debug/settings.ts'
import * as gateway from '../../functions/gateway/settings.ts'
import * as markets from '../../functions/markets/settings.ts'
import * as notifier from '../../functions/notifier/settings.ts'
import * as orders from '../../functions/orders/settings.ts'
import * as quotes from '../../functions/quotes/settings.ts'
import * as solver from '../../functions/solver/settings.ts'
import * as status from '../../functions/status/settings.ts'
import * as streams from '../../functions/streams/settings.ts'
import * as tokens from '../../functions/tokens/settings.ts'
import type { WorkerGroup } from '../workers/workerGroups.ts'

/** One setting, and the Workers that read it. */
export type SettingRow = SettingFacts & { groups: readonly WorkerGroup[] }

/** The environment of each Worker. */
export const settingsSchemas: Readonly<Record<WorkerGroup, z.ZodType>> = {
  quotes: quotes.settingsSchema,
  orders: orders.settingsSchema,
  debug: debug.settingsSchema,
  status: status.settingsSchema,
  auctions: auctions.settingsSchema,
  streams: streams.settingsSchema,
  solver: solver.settingsSchema,
  gateway: gateway.settingsSchema,
  accounts: accounts.settingsSchema,
  affiliate: affiliate.settingsSchema,
  markets: markets.settingsSchema,
  notifier: notifier.settingsSchema,
  tokens: tokens.settingsSchema,
}

/** Read by deployments alone. */
const deploymentFields = {
  CONTRACTS: setting(z.string(), {
    description:
      'contracts that orders settle with: what `npm run contracts` wrote, or by choice `canonical` or `staging`, where only the public manager allows solvers',
    scope: 'network',
    required: true,
  }),
  MIGRATIONS_DATABASE_URL: setting(databaseUrlSchema, {
    description:
      'the database of `DATABASE_URL` with the role that owns its tables: it migrates them, and the role of `DATABASE_URL` may only read and write rows',
    scope: 'network',
    secret: true,
    absent: 'the role of `DATABASE_URL` owns the tables',
  }),
  DOMAIN: setting(z.string(), {
    description: 'host of the gateway, in a zone of the account',
    scope: 'shared',
    absent: '`edgebook-gateway.<name>.workers.dev`',
  }),
}

/** Fields of a Worker's environment, bindings included, below transforms. */
export const findFields = (schema: z.ZodType): Record<string, z.ZodType> => {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>
  if (schema instanceof z.ZodPipe) return findFields(schema.in as z.ZodType)
  throw new Error('settingsSchema must be an object, or an object with transforms')
}

const buildTable = (): Record<string, SettingRow> => {
  const table: Record<string, SettingRow> = {}
  const add = (fields: Record<string, z.ZodType>, groups: WorkerGroup[]): void => {
    for (const [name, field] of Object.entries(fields)) {
      const facts = settingFacts.get(field)
      if (!facts) continue
      table[name] = { ...facts, groups: [...(table[name]?.groups ?? []), ...groups] }
    }
  }
  for (const [group, schema] of Object.entries(settingsSchemas)) add(findFields(schema), [group as WorkerGroup])
  add(deploymentFields, [])
  return table
}

/** Every setting by name, beside `SOLVER_PRIVATE_KEY_<NAME>` for each local solver of `SOLVERS`. */
export const settingsTable: Readonly<Record<string, SettingRow>> = buildTable()

/** Settings that the operator provides for each network, or once for all. */
export const listOperatorSettings = (scope: 'network' | 'shared'): [name: string, row: SettingRow][] =>
  Object.entries(settingsTable).filter(([, row]) => row.scope === scope)

/** The row of a setting that the operator provides. */
export const findOperatorSetting = (name: string): (SettingRow & { scope: 'network' | 'shared' }) | undefined => {
  const row = settingsTable[name]
  return row?.scope === 'network' || row?.scope === 'shared' ? { ...row, scope: row.scope } : undefined
}

/** Whether a Worker reads a setting. */
export const hasSetting = (group: WorkerGroup, name: string): boolean =>
  settingsTable[name]?.groups.includes(group) ?? false

/** Whether a setting of a Worker is a secret. */
export const isSecret = (name: string): boolean => settingsTable[name]?.secret === true

/** The setting with the private key of a solver that runs here. */
export const solverKeyName = (solver: string): string =>
  `SOLVER_PRIVATE_KEY_${solver.toUpperCase().replaceAll('-', '_')}`
