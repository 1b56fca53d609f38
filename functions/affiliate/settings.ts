import { z } from 'zod'
import { nodeUrlsSchema } from '#shared/networks/networkSettings.ts'
import { DATABASE_URL, RPC_URLS } from '#shared/settings/connectionSettings.ts'
import { CMS_ENABLED } from '#shared/settings/notificationSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import { programSchema } from './program.ts'

/** The environment of the affiliate Worker. */
export const settingsSchema = z.object({
  CMS_ENABLED,
  STATS_API_KEY: setting(z.string(), {
    description: 'any text enables the statistics; clients never send it',
    scope: 'shared',
    secret: true,
    default: '',
    absent: 'no statistics',
  }),
  DATABASE_URL,
  RPC_URLS,
  MAINNET_RPC_URL: setting(nodeUrlsSchema, {
    description:
      'node of Ethereum mainnet, which verifies the signatures of contract wallets for affiliate codes; where mainnet is deployed, its own node',
    scope: 'shared',
    secret: true,
    absent: 'contract wallets cannot register affiliate codes',
  }),
  AFFILIATE_SERVICE_NAME: setting(z.string().min(1), {
    description: 'name in the signing domain `<name> Affiliate`',
    scope: 'shared',
    default: 'edgebook',
  }),
  AFFILIATE_PROGRAM: setting(programSchema, {
    description: 'terms of the affiliate program that differ from the defaults (docs/affiliate.md); a JSON object',
    scope: 'shared',
    default: '{}',
  }),
})

export type Settings = z.infer<typeof settingsSchema>
