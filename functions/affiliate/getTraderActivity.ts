import { createRoute, z } from '@hono/zod-openapi'
import { type Address, formatUnits } from 'viem'
import type { Database } from '#schema/client.ts'
import { eligibilityReasons } from '#schema/queries/affiliate/referredTrades.ts'
import { type ReferredTrade, selectTraderActivity } from '#schema/queries/affiliate/selectTraderActivity.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { addressSchema, hashSchema, orderUidSchema } from '#shared/validation/chainValues.ts'
import type { TradedTokens } from './findTradedTokens.ts'
import { usdSchema } from './usdSchema.ts'

export type GetTraderActivityDeps = {
  /** throws an ApiError while the statistics are switched off */
  findDatabase: () => Database
  /** metadata of the traded tokens; rejects with an ApiError */
  findTradedTokens: (trades: readonly ReferredTrade[]) => Promise<TradedTokens>
}

const amountSchema = z.string().nullable().openapi({
  description: 'whole tokens as a decimal number; null: the decimals of the token are unknown',
  example: '1.5',
})

const activityRowSchema = z
  .object({
    chain_id: z.number().int(),
    creation_date: z.iso.datetime().openapi({ description: 'time of the settlement' }),
    tx_hash: hashSchema,
    order_uid: orderUidSchema,
    trader_address: addressSchema,
    sell_token: addressSchema,
    buy_token: addressSchema,
    sell_token_symbol: z.string().optional(),
    buy_token_symbol: z.string().optional(),
    executed_sell_amount: amountSchema,
    executed_buy_amount: amountSchema,
    usd_value: usdSchema('value of the sell amount at settlement; null: unknown').nullable(),
    eligible_volume_usd: usdSchema('eligible part of usd_value'),
    referrer_code: z.string().openapi({ description: 'code in the app data of the order' }),
    bound_referrer_code: z
      .string()
      .nullable()
      .openapi({ description: 'code that the trader is bound to; null: not bound' }),
    eligibility_reason: z.enum(eligibilityReasons),
    is_bound_to_code: z.boolean().openapi({ description: 'whether the trader is bound to the code of the order' }),
    is_eligible: z.boolean().openapi({ description: 'whether eligible_volume_usd counts towards rewards' }),
  })
  .openapi('TraderActivityRow')

const getTraderActivityRoute = createRoute({
  ...endpoint('getTraderActivity'),
  tags: ['Affiliates'],
  summary: "A trader's trades with an affiliate code",
  description: 'The newest 50 trades on all networks of this deployment, newest first, with their eligibility.',
  request: { params: z.object({ address: addressSchema }) },
  responses: {
    200: {
      description: 'the trades; may be empty',
      content: {
        'application/json': {
          schema: z
            .object({ rows: z.array(activityRowSchema), lastUpdatedAt: z.iso.datetime() })
            .openapi('TraderActivity'),
        },
      },
    },
    ...messageResponses(['InvalidParameter', 'ServiceUnavailable']),
  },
})

/** `GET /affiliate/trader-activity/{address}` */
export const getTraderActivity = (deps: GetTraderActivityDeps) =>
  createApp(auxiliaryFormat).openapi(getTraderActivityRoute, async (c) => {
    const { address } = c.req.valid('param')
    const computedAt = new Date()
    const trades = await selectTraderActivity(deps.findDatabase(), address)
    const tokens = await deps.findTradedTokens(trades)
    c.header('Cache-Control', cachePolicies.statistics)
    const rows = trades.map((trade) => toActivityRow(address, trade, tokens))
    return c.json({ rows, lastUpdatedAt: computedAt.toISOString() }, 200)
  })

const toActivityRow = (
  trader: Address,
  trade: ReferredTrade,
  tokens: TradedTokens,
): z.output<typeof activityRowSchema> => {
  const sold = tokens(trade.chainId, trade.sellToken.address)
  const bought = tokens(trade.chainId, trade.buyToken.address)
  return {
    chain_id: trade.chainId,
    creation_date: trade.settledAt.toISOString(),
    tx_hash: trade.transactionHash,
    order_uid: trade.orderUid,
    trader_address: trader,
    sell_token: trade.sellToken.address,
    buy_token: trade.buyToken.address,
    ...(sold?.symbol ? { sell_token_symbol: sold.symbol } : {}),
    ...(bought?.symbol ? { buy_token_symbol: bought.symbol } : {}),
    executed_sell_amount: sold ? formatUnits(trade.sellAmount, sold.decimals) : null,
    executed_buy_amount: bought ? formatUnits(trade.buyAmount, bought.decimals) : null,
    usd_value: trade.value,
    eligible_volume_usd: trade.countedValue,
    referrer_code: trade.referrerCode,
    bound_referrer_code: trade.boundCode,
    eligibility_reason: trade.reason,
    is_bound_to_code: trade.isBound,
    is_eligible: trade.reason === 'eligible',
  }
}
