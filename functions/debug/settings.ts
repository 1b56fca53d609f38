import { z } from 'zod'
import type { ArchiveBucket } from '#shared/archive/archiveBucket.ts'
import { HIDE_COMPETITION_BEFORE_DEADLINE } from '#shared/settings/competitionSettings.ts'
import { DATABASE_URL, NETWORK, RPC_URL } from '#shared/settings/connectionSettings.ts'
import {
  BANNED_USERS,
  MAX_GAS_PER_ORDER,
  MIN_VALIDITY_SECONDS,
  ORDER_APP_DATA,
  OUT_OF_MARKET_BPS,
  UNSUPPORTED_TOKENS,
} from '#shared/settings/orderRuleSettings.ts'
import type { ServiceBinding } from '#shared/settings/serviceBinding.ts'
import { setting } from '#shared/settings/setting.ts'
import { SOLVERS } from '#shared/solvers/solverSettings.ts'
import { hashSchema } from '#shared/validation/chainValues.ts'

/**
 * The environment of the debug Worker. A dry run applies the rules of placement and of auctions, so it has the settings of both
 * Workers.
 */
export const settingsSchema = z.object({
  NETWORK,
  DATABASE_URL,
  RPC_URL,
  BANNED_USERS,
  UNSUPPORTED_TOKENS,
  MAX_GAS_PER_ORDER,
  MIN_VALIDITY_SECONDS,
  OUT_OF_MARKET_BPS,
  SOLVERS,
  /** without it no limit is compared with an executable price */
  QUOTES: z.custom<ServiceBinding>().optional(),
  /** without it nothing is archived */
  ARCHIVE: z.custom<ArchiveBucket>().optional(),
  DEBUG_TOKEN: setting(z.string().min(1), {
    description: 'bearer token of debug reports, random text of 32 characters',
    scope: 'network',
    secret: true,
    absent: 'debug reports are public',
  }),
  RECEIPT_PRIVATE_KEY: setting(hashSchema, {
    description: 'secp256k1 key that signs receipts of orders, 32 bytes of hex; its account holds nothing',
    scope: 'network',
    secret: true,
    absent: 'receipts are not signed',
  }),
  HIDE_COMPETITION_BEFORE_DEADLINE,
  ORDER_APP_DATA,
})

export type Settings = z.infer<typeof settingsSchema>
