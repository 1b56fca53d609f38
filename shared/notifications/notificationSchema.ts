import { z } from '@hono/zod-openapi'
import { addressSchema } from '../validation/address.ts'
import { hashSchema, orderUidSchema } from '../validation/hex.ts'

const bps = (description: string) => z.number().int().min(0).openapi({ description })

const amountShape = {
  token: addressSchema.openapi({
    description:
      '0xeeee… is the native token, also when a contract placed the order on-chain for the account that paid it',
  }),
  symbol: z.string().max(20).nullable().openapi({
    description: 'symbol of the token contract, sanitised; symbols are not unique. null: unknown',
    example: 'USDC',
  }),
  decimals: z.number().int().min(0).max(255).nullable().openapi({ description: 'null: unknown' }),
  amount: z.string().regex(/^\d+$/).openapi({ description: 'atoms', example: '4512300000' }),
  formatted: z.string().nullable().openapi({
    description: 'the exact amount in whole tokens; null: the decimals are unknown',
    example: '4512.3',
  }),
}

const amountSchema = z.object(amountShape).openapi('TokenAmount')

export type TokenAmount = z.output<typeof amountSchema>

const gainSchema = z.object({ ...amountShape, bps: bps('the same in basis points, rounded down') })

const orderShape = {
  chainId: z.number().int(),
  network: z.string().openapi({ description: 'name of the network in paths', example: 'mainnet' }),
  orderUid: orderUidSchema,
  kind: z.enum(['sell', 'buy']),
  partiallyFillable: z.boolean(),
  sell: amountSchema.openapi({ description: 'sell amount: exact for a sell order, the maximum for a buy order' }),
  buy: amountSchema.openapi({ description: 'buy amount: the minimum for a sell order, exact for a buy order' }),
  executed: z
    .object({
      sell: amountSchema,
      buy: amountSchema,
      bps: bps('filled share of the order in basis points, rounded down'),
    })
    .openapi({ description: 'all trades up to this event, fees included' }),
  validTo: z.number().int().openapi({ description: 'last valid second, Unix' }),
  links: z.object({
    order: z.string().openapi({ description: 'path of the order under the base URL of this API' }),
    transaction: z.url().nullable().openapi({ description: "the transaction at the network's block explorer" }),
  }),
}

const tradeShape = {
  ...orderShape,
  transactionHash: hashSchema,
  blockNumber: z.number().int(),
  logIndex: z.number().int(),
  trade: z
    .object({ sell: amountSchema, buy: amountSchema, fee: amountSchema })
    .openapi({ description: 'amounts of this trade; the sell amount includes the signed fee' }),
  surplus: gainSchema.openapi({
    description: 'gain over the limit: buy token for a sell order, sell token for a buy order',
  }),
  improvement: gainSchema.nullable().openapi({
    description: 'gain over the quote of the order, after the network fee; null: no gain or no quote',
  }),
}

const notification = <Type extends string, Metadata extends z.ZodRawShape>(
  type: Type,
  name: string,
  description: string,
  metadata: Metadata,
) =>
  z
    .object({
      id: z.string().openapi({ description: 'increases with time', example: '42' }),
      account: addressSchema,
      type: z.literal(type),
      message: z.string().openapi({ example: 'Your order on Ethereum Mainnet sold 1.5 WETH for 4,512.30 USDC.' }),
      timestamp: z.iso.datetime(),
      metadata: z.object(metadata),
    })
    .openapi(name, { description })

/** An event of an account's order; `metadata` depends on `type`. Built by `toNotification`. */
export const notificationSchema = z
  .discriminatedUnion('type', [
    notification(
      'order_filled',
      'OrderFilledNotification',
      'a settlement filled the order, or the rest of it',
      tradeShape,
    ),
    notification(
      'order_partially_filled',
      'OrderPartiallyFilledNotification',
      'a settlement filled a part of the order',
      tradeShape,
    ),
    notification(
      'price_improvement',
      'PriceImprovementNotification',
      'a trade gave at least 0.01% over the limit',
      tradeShape,
    ),
    notification(
      'order_expired',
      'OrderExpiredNotification',
      'the validity ended before the order was filled',
      orderShape,
    ),
    notification('order_cancelled', 'OrderCancelledNotification', 'the order was cancelled before it was filled', {
      ...orderShape,
      transactionHash: hashSchema.nullable().openapi({ description: 'transaction of an on-chain cancellation' }),
      cancelledBy: addressSchema.nullable().openapi({ description: 'account that cancelled it on-chain' }),
      replacedBy: orderUidSchema.nullable().openapi({ description: 'the order that replaced it' }),
    }),
    notification(
      'insufficient_balance',
      'InsufficientBalanceNotification',
      'the funds no longer suffice to settle the order',
      {
        ...orderShape,
        shortfall: z.object({
          lacks: z.enum(['balance', 'allowance']).openapi({ description: 'allowance: for the vault relayer' }),
          needed: amountSchema,
          available: amountSchema,
          missing: amountSchema,
        }),
      },
    ),
  ])
  .openapi('Notification')

export type NotificationResponse = z.output<typeof notificationSchema>

export type NotificationType = NotificationResponse['type']

export const notificationTypes = notificationSchema.options.map(({ shape }) => shape.type.value)
