import { z } from 'zod'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkUrlsSchema } from '#shared/validation/networkUrls.ts'
import { switchSchema } from '#shared/validation/switch.ts'
import { programSchema } from './program.ts'

/** What the affiliate Worker needs of its environment. */
export const settingsSchema = z.object({
  /** whether there is an affiliate program */
  CMS_ENABLED: switchSchema.default(false),
  /** whether there are statistics: any text; nobody has to send it */
  STATS_API_KEY: z.string().default(''),
  DATABASE_URL: databaseUrlSchema,
  /** nodes of the networks, which are asked for the decimals of traded tokens */
  RPC_URLS: networkUrlsSchema,
  /** Ethereum mainnet's node: it is asked for the signatures of contract wallets, whatever the network of the trades */
  MAINNET_RPC_URL: z.url({ protocol: /^https?$/ }),
  /** the signing domain is `<name> Affiliate` */
  AFFILIATE_SERVICE_NAME: z.string().min(1).default('edgebook'),
  AFFILIATE_PROGRAM: programSchema,
})

export type Settings = z.infer<typeof settingsSchema>
