import { z } from 'zod'
import {
  databaseUrlSchema,
  networkDatabasesSchema,
  networkNodesSchema,
  networkSchema,
  nodeUrlsSchema,
} from '../networks/networkSettings.ts'
import { type SettingFacts, setting, settingFacts } from './setting.ts'

export const httpUrlSchema = z.url({ protocol: /^https?$/, error: 'an http or https URL' })

export const NETWORK = setting(networkSchema, {
  description: 'name of the network that the Worker serves',
  scope: 'deployment',
  required: true,
})

const databaseUrlFacts = {
  description:
    'Postgres, `postgresql://user:password@host/database`: at Neon, or any server for `npm run serve`; the same for all networks in the shared file',
  scope: 'network',
  required: true,
  secret: true,
  isDerived: true,
} as const satisfies SettingFacts

export const DATABASE_URL = setting(databaseUrlSchema, databaseUrlFacts)

/** For a Worker that works without a database in part; empty without one. */
export const optionalDatabaseUrl = z
  .union([databaseUrlSchema, z.literal('')])
  .default('')
  .register(settingFacts, databaseUrlFacts)

export const DATABASE_URLS = setting(networkDatabasesSchema, {
  description: 'databases of the networks with their own, a JSON object built from each `DATABASE_URL`',
  scope: 'deployment',
  secret: true,
  default: '{}',
})

export const RPC_URL = setting(nodeUrlsSchema, {
  description:
    'JSON-RPC node of the network, or several separated by commas: the next one is used when one fails or is slow',
  scope: 'network',
  required: true,
  secret: true,
  isDerived: true,
})

export const RPC_URLS = setting(networkNodesSchema, {
  description: 'JSON-RPC nodes of each network, a JSON object built from each `RPC_URL`',
  scope: 'deployment',
  required: true,
  secret: true,
})

/** Not worth a refusal: an empty version is that of a development stack. */
export const VERSION = setting(z.string().min(1).catch('development'), {
  description: 'version of the sources, returned by `GET version` and the gateway',
  scope: 'deployment',
  default: 'development',
})
