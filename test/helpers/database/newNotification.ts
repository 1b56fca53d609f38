import type { Address } from 'viem'
import type { notifications } from '#schema/tables/notifications/notifications.ts'
import type { subscriptions } from '#schema/tables/notifications/subscriptions.ts'
import { networks } from '#shared/networks.ts'
import { notificationTypes } from '#shared/notifications/notificationTypes.ts'
import { newOrder, orderUidOf } from './newOrder.ts'

export const subscriber: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const { sellToken, buyToken } = newOrder(1)
const units = 10n ** 18n

/** Of a filled order; another `seed` gives another order. */
export const newNotification = (
  seed: number,
  changes: Partial<typeof notifications.$inferInsert> = {},
): typeof notifications.$inferInsert => ({
  chainId: networks.sepolia.chainId,
  account: subscriber,
  orderUid: orderUidOf(seed),
  type: 'order_filled',
  key: `trade-${seed}`,
  eventId: seed,
  blockNumber: 100 + seed,
  facts: {
    kind: 'sell',
    partiallyFillable: false,
    sellToken,
    buyToken,
    sellAmount: String(units),
    buyAmount: String(2n * units),
    validTo: 4_102_444_800,
    placedOnchain: false,
    executedSellAmount: String(units),
    executedBuyAmount: String(3n * units),
    trade: {
      transactionHash: `0x${'ab'.repeat(32)}`,
      blockNumber: 100 + seed,
      logIndex: 0,
      sellAmount: String(units),
      buyAmount: String(3n * units),
      feeAmount: '0',
      surplus: String(units),
      limitAmount: String(2n * units),
      quotedAmount: null,
    },
  },
  createdAt: new Date('2026-11-01T00:00:00Z'),
  ...changes,
})

/** For everything on Sepolia, confirmed a day before the notification. */
export const newSubscription = (
  changes: Partial<typeof subscriptions.$inferInsert> = {},
): typeof subscriptions.$inferInsert => ({
  account: subscriber,
  signerChainId: 0,
  channel: 'webhook',
  target: 'https://example.com/hook',
  types: notificationTypes,
  networks: [networks.sepolia.chainId],
  secret: `whsec_${btoa('a secret of thirty-two characters')}`,
  unsubscribeToken: crypto.randomUUID(),
  createdAt: new Date('2026-10-31T00:00:00Z'),
  confirmedAt: new Date('2026-10-31T00:00:00Z'),
  ...changes,
})
