import { z } from 'zod'
import { binding } from '#shared/settings/binding.ts'
import { DATABASE_URL, NETWORK, RPC_URL, VERSION } from '#shared/settings/connectionSettings.ts'
import {
  BANNED_USERS,
  MAX_GAS_PER_ORDER,
  MIN_VALIDITY_SECONDS,
  ORDER_APP_DATA,
  UNSUPPORTED_TOKENS,
} from '#shared/settings/orderRuleSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import { SOLVERS } from '#shared/solvers/solverSettings.ts'

const count = z.coerce.number().int().min(0)

/** The environment of the orders Worker. */
export const settingsSchema = z.object({
  NETWORK,
  DATABASE_URL,
  RPC_URL,
  BANNED_USERS,
  UNSUPPORTED_TOKENS,
  MAX_LIMIT_ORDERS_PER_USER: setting(count, {
    description: 'open orders of one owner outside the market or without a quote',
    scope: 'network',
    default: '10',
  }),
  MAX_OPEN_ORDERS_PER_USER: setting(count, {
    description: 'open orders of one owner',
    scope: 'network',
    default: '1000',
  }),
  MAX_UNSIGNED_ORDERS_PER_CLIENT: setting(count, {
    description: 'presign orders of one client without a pre-signature',
    scope: 'network',
    default: '50',
  }),
  MAX_UNSIGNED_ORDERS: setting(count, {
    description: 'presign orders of all clients without a pre-signature',
    scope: 'network',
    default: '50000',
  }),
  MAX_GAS_PER_ORDER,
  MIN_VALIDITY_SECONDS,
  SOLVERS,
  ORDER_APP_DATA,
  VERSION,
  AUCTIONS: binding<{ fetch: typeof fetch }>(),
})

export type Settings = z.infer<typeof settingsSchema>
