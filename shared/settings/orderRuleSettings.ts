import { z } from 'zod'
import { addressListSchema } from '../validation/settingFormats.ts'
import { setting } from './setting.ts'

export const BANNED_USERS = setting(addressListSchema, {
  description: 'addresses that may not trade, receive or earn partner fees, separated by commas',
  scope: 'network',
  default: '',
})

export const UNSUPPORTED_TOKENS = setting(addressListSchema, {
  description: 'tokens that are not traded, separated by commas',
  scope: 'network',
  default: '',
})

export const MAX_GAS_PER_ORDER = setting(z.coerce.bigint().positive(), {
  description: 'gas that settling one order may take',
  scope: 'network',
  unit: 'gas',
  default: '8000000',
})

export const MIN_VALIDITY_SECONDS = setting(z.coerce.number().int().nonnegative(), {
  description: 'least remaining validity of a quoted or new order, and of one that enters an auction',
  scope: 'network',
  unit: 's',
  default: '60',
})

export const OUT_OF_MARKET_BPS = setting(z.coerce.number().int().nonnegative(), {
  description: 'an order whose limit is this much better than what solvers offer waits outside the auctions',
  scope: 'network',
  unit: 'bps',
  default: '5000',
})

export const ORDER_APP_DATA = setting(z.enum(['document', 'hash']), {
  description:
    '`appData` of returned orders: `document` where it is known, or always its `hash`, for the public explorer (docs/frontends.md)',
  scope: 'network',
  default: 'document',
})
