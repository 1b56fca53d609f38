import { z } from 'zod'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkUrlsSchema } from '#shared/validation/networkUrls.ts'
import { switchSchema } from '#shared/validation/switch.ts'
import { programSchema } from './program.ts'

/** The environment of the affiliate Worker. */
export const settingsSchema = z.object({
  /** enables the affiliate program */
  CMS_ENABLED: switchSchema.default(false),
  /** enables the statistics: any text; clients never send it */
  STATS_API_KEY: z.string().default(''),
  DATABASE_URL: databaseUrlSchema,
  /** nodes of the networks, for the decimals of traded tokens */
  RPC_URLS: networkUrlsSchema,
  /** node of Ethereum mainnet, which verifies the signatures of contract wallets for trades on any network */
  MAINNET_RPC_URL: z.url({ protocol: /^https?$/ }),
  /** signing domain: `<name> Affiliate` */
  AFFILIATE_SERVICE_NAME: z.string().min(1).default('edgebook'),
  AFFILIATE_PROGRAM: programSchema,
})

export type Settings = z.infer<typeof settingsSchema>
