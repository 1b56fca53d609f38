import { z } from '@hono/zod-openapi'
import { addressSchema, hashSchema, orderUidSchema } from '../validation/chainValues.ts'

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

export const tokenAmountSchema = z.object(amountShape).openapi('TokenAmount')

export type TokenAmount = z.output<typeof tokenAmountSchema>

/** An amount of one token, with the token's metadata. */
export type ToAmount = (atoms: string | bigint) => TokenAmount

const gainSchema = z.object({ ...amountShape, bps: bps('the same in basis points, rounded down') })

/** Metadata of every notification: the order at the time of the event. */
export const orderShape = {
  chainId: z.number().int(),
  network: z.string().openapi({ description: 'name of the network in paths', example: 'mainnet' }),
  orderUid: orderUidSchema,
  kind: z.enum(['sell', 'buy']),
  partiallyFillable: z.boolean(),
  sell: tokenAmountSchema.openapi({ description: 'sell amount: exact for a sell order, the maximum for a buy order' }),
  buy: tokenAmountSchema.openapi({ description: 'buy amount: the minimum for a sell order, exact for a buy order' }),
  executed: z
    .object({
      sell: tokenAmountSchema,
      buy: tokenAmountSchema,
      bps: bps('filled share of the order in basis points, rounded down'),
    })
    .openapi({ description: 'all trades up to this event, fees included' }),
  validTo: z.number().int().openapi({ description: 'last valid second, Unix' }),
  links: z.object({
    order: z.string().openapi({ description: 'path of the order under the base URL of this API' }),
    transaction: z.url().nullable().openapi({ description: "the transaction at the network's block explorer" }),
  }),
}

export type OrderMetadata = z.output<z.ZodObject<typeof orderShape>>

/** Metadata of notifications about a trade. */
export const tradeShape = {
  ...orderShape,
  transactionHash: hashSchema,
  blockNumber: z.number().int(),
  logIndex: z.number().int(),
  trade: z.object({ sell: tokenAmountSchema, buy: tokenAmountSchema, fee: tokenAmountSchema }).openapi({
    description:
      'amounts of this trade; fee: all that the order paid, signed or in its price. The sell amount includes a signed fee',
  }),
  surplus: gainSchema.openapi({
    description: 'gain over the limit: buy token for a sell order, sell token for a buy order',
  }),
  improvement: gainSchema.nullable().openapi({
    description: 'gain over the quote of the order, after the network fee; null: no gain or no quote',
  }),
}

export type TradeMetadata = z.output<z.ZodObject<typeof tradeShape>>
