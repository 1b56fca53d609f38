import { pgEnum } from 'drizzle-orm/pg-core'

export const orderKind = pgEnum('order_kind', ['sell', 'buy'])
export const orderClass = pgEnum('order_class', ['market', 'limit', 'liquidity'])
export const signingScheme = pgEnum('signing_scheme', ['eip712', 'ethsign', 'presign', 'eip1271'])
export const sellTokenBalance = pgEnum('sell_token_balance', ['erc20', 'internal', 'external'])
export const buyTokenBalance = pgEnum('buy_token_balance', ['erc20', 'internal'])

/**
 * Steps of an order's life (`events` of the debug report); the order here is the usual order in time. `undone`: a reorganisation
 * took back the step that `data` names.
 */
export const orderEventLabel = pgEnum('order_event_label', [
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
])

/** `standard`: the order comes over the API; the others pay for a signature check on-chain and live longer. */
export const quoteKind = pgEnum('quote_kind', ['standard', 'eip1271onchainorder', 'presignonchainorder'])

/**
 * Why an order that was placed on-chain is no order to trade: a token that is not traded, a signed fee, terms that make no
 * order, or a placement that a reorganisation undid.
 */
export const placementError = pgEnum('placement_error', ['preValidationError', 'nonZeroFee', 'other', 'reorged'])

export const feePolicyKind = pgEnum('fee_policy_kind', ['surplus', 'volume', 'priceImprovement'])

/** On which side of an affiliate code a wallet is: it brought traders, or it trades. */
export const affiliateRole = pgEnum('affiliate_role', ['affiliate', 'trader'])

/** What accounts are told of (spec, Events). */
export const notificationType = pgEnum('notification_type', [
  'order_filled',
  'order_partially_filled',
  'order_expired',
  'order_cancelled',
  'insufficient_balance',
  'price_improvement',
])

/** How a subscriber is told. */
export const notificationChannel = pgEnum('notification_channel', ['webhook', 'email', 'telegram', 'push'])

/** `superseded`: a reorganisation made it untrue before it was delivered; `dead`: given up, until somebody replays it. */
export const deliveryState = pgEnum('delivery_state', ['pending', 'delivered', 'superseded', 'dead'])
