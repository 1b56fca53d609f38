import { pgEnum } from 'drizzle-orm/pg-core'
import { notificationTypes } from '#shared/notifications/notificationTypes.ts'

export const orderKind = pgEnum('order_kind', ['sell', 'buy'])
export const orderClass = pgEnum('order_class', ['market', 'limit', 'liquidity'])
export const signingScheme = pgEnum('signing_scheme', ['eip712', 'ethsign', 'presign', 'eip1271'])
export const sellTokenBalance = pgEnum('sell_token_balance', ['erc20', 'internal', 'external'])
export const buyTokenBalance = pgEnum('buy_token_balance', ['erc20', 'internal'])

/**
 * Steps of an order's life (`events` of the debug report), in their usual order. `undone`: a reorganisation reverted
 * the step named in `data`.
 */
export const orderEventLabels = [
  'created',
  'ready',
  'filtered',
  'invalid',
  'executing',
  'considered',
  'traded',
  'cancelled',
  'expired',
  'undone',
] as const

/**
 * Steps of a conditional order's life. `opened`: its owner authorised it, also again; `slowed`: its evaluations are
 * postponed, because its parts end without a trade; `ended`: `reason` says why.
 */
export const conditionalEventLabels = ['opened', 'slowed', 'ended'] as const

export type ConditionalEventLabel = (typeof conditionalEventLabels)[number]

/** Labels of the one log of orders and conditional orders. */
export const orderEventLabel = pgEnum('order_event_label', [...orderEventLabels, ...conditionalEventLabels])

/** `standard`: submitted over the API; the others pay for an on-chain signature check and live longer. */
export const quoteKind = pgEnum('quote_kind', ['standard', 'eip1271onchainorder', 'presignonchainorder'])

/**
 * Errors of an on-chain placement: unsupported token, signed fee, invalid terms, or a placement undone by a
 * reorganisation.
 */
export const placementError = pgEnum('placement_error', ['preValidationError', 'nonZeroFee', 'other', 'reorged'])

export const feePolicyKind = pgEnum('fee_policy_kind', ['surplus', 'volume', 'priceImprovement'])

/** Role of a wallet in the affiliate program: owner of a code, or trader. */
export const affiliateRole = pgEnum('affiliate_role', ['affiliate', 'trader'])

/** In the order of the declarations: `npm run migrations` adds a new one. */
export const notificationType = pgEnum('notification_type', notificationTypes)

/** Delivery channels. */
export const notificationChannel = pgEnum('notification_channel', ['webhook', 'email', 'telegram', 'push'])

/** `superseded`: retracted by a reorganisation before delivery; `dead`: given up until a replay. */
export const deliveryState = pgEnum('delivery_state', ['pending', 'delivered', 'superseded', 'dead'])
