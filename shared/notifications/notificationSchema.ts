import { z } from '@hono/zod-openapi'
import { addressSchema } from '../validation/address.ts'
import { hashSchema, orderUidSchema } from '../validation/hex.ts'

const bps = (description: string) => z.number().int().min(0).openapi({ description })

const amountShape = {
  token: addressSchema.openapi({
    description: '0xeeee… is the native token: also of an order that a contract placed on-chain for whoever paid it',
  }),
  symbol: z.string().max(20).nullable().openapi({
    description: 'as the token says it, as far as it can be shown; anybody may use any symbol. null: none',
    example: 'USDC',
  }),
  decimals: z.number().int().min(0).max(255).nullable().openapi({ description: 'null: not known' }),
  amount: z.string().regex(/^\d+$/).openapi({ description: 'atoms', example: '4512300000' }),
  formatted: z.string().nullable().openapi({
    description: 'the same in whole tokens, exactly; null: the decimals are not known',
    example: '4512.3',
  }),
}

const amountSchema = z.object(amountShape).openapi('TokenAmount')

export type TokenAmount = z.output<typeof amountSchema>

const gainSchema = z.object({ ...amountShape, bps: bps('the same in basis points, rounded down') })

const orderShape = {
  chainId: z.number().int(),
  network: z.string().openapi({ description: 'its name in paths', example: 'mainnet' }),
  orderUid: orderUidSchema,
  kind: z.enum(['sell', 'buy']),
  partiallyFillable: z.boolean(),
  sell: amountSchema.openapi({ description: 'what the order sells: exactly, or at most when it is a buy order' }),
  buy: amountSchema.openapi({ description: 'what the order buys: at least, or exactly when it is a buy order' }),
  executed: z
    .object({ sell: amountSchema, buy: amountSchema, bps: bps('share of the order that is filled, rounded down') })
    .openapi({ description: 'all trades until then, fees included' }),
  validTo: z.number().int().openapi({ description: 'last valid second, Unix' }),
  links: z.object({
    order: z.string().openapi({ description: 'path of the order under the base URL of this API' }),
    transaction: z.url().nullable().openapi({ description: "the transaction at the network's explorer" }),
  }),
}

const tradeShape = {
  ...orderShape,
  transactionHash: hashSchema,
  blockNumber: z.number().int(),
  logIndex: z.number().int(),
  trade: z
    .object({ sell: amountSchema, buy: amountSchema, fee: amountSchema })
    .openapi({ description: 'what this transaction moved; the sell amount includes the signed fee' }),
  surplus: gainSchema.openapi({
    description: 'what the trade gave over the limit: buy token of a sell order, sell token of a buy order',
  }),
  improvement: gainSchema.nullable().openapi({
    description: 'what the trade gave over the quote of the order, network fee taken; null: nothing, or it had none',
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
      id: z.string().openapi({ description: 'grows with time', example: '42' }),
      account: addressSchema,
      type: z.literal(type),
      message: z.string().openapi({ example: 'Your order on Ethereum Mainnet sold 1.5 WETH for 4,512.30 USDC.' }),
      timestamp: z.iso.datetime(),
      metadata: z.object(metadata),
    })
    .openapi(name, { description })

/** One thing that happened to an order of an account; `metadata` by `type`. Built by `toNotification`. */
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
      transactionHash: hashSchema.nullable().openapi({ description: 'of a cancellation on-chain' }),
      cancelledBy: addressSchema.nullable().openapi({ description: 'who cancelled it on-chain' }),
      replacedBy: orderUidSchema.nullable().openapi({ description: 'the order that replaced it' }),
    }),
    notification(
      'insufficient_balance',
      'InsufficientBalanceNotification',
      'the funds do not suffice to settle the order any more',
      {
        ...orderShape,
        shortfall: z.object({
          lacks: z.enum(['balance', 'allowance']).openapi({ description: 'allowance: of the vault relayer' }),
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
