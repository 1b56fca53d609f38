import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import { type NetworkTrade, selectNetworkTrades, type TradePosition } from '#schema/queries/explorer/networkTrades.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { Network } from '#shared/networks.ts'
import { addressSchema, amountTextSchema, hashSchema, orderUidSchema } from '#shared/validation/chainValues.ts'
import { cursorSchema, listLimitSchema, nextPageHeaders, toNextPageHeaders } from '#shared/validation/listPage.ts'

const pairPattern = /^0x[0-9a-fA-F]{40}-0x[0-9a-fA-F]{40}$/

const querySchema = z.object({
  token: addressSchema.optional().openapi({ description: 'sold or bought' }),
  pair: z
    .string()
    .regex(pairPattern, 'two addresses with - between them')
    .transform((text) => text.toLowerCase().split('-') as [Address, Address])
    .optional()
    .openapi({
      ...{ type: 'string', pattern: pairPattern.source, description: '`{token}-{token}`, traded in either direction' },
      example: '0xfff9976782d46cc05630d1f6ebab18b2324d6b14-0x1c7d4b196cb0c7b01d743fbc6116a902379c7238',
    }),
  owner: addressSchema
    .optional()
    .openapi({ description: 'owner of the order, or the account for which it was placed' }),
  limit: listLimitSchema,
  cursor: cursorSchema(/^\d{1,15}-\d{1,9}$/, (text): TradePosition => {
    const [blockNumber = 0, logIndex = 0] = text.split('-').map(Number)
    return { blockNumber, logIndex }
  }),
})

const networkTradeSchema = z
  .object({
    blockNumber: z.number().int(),
    logIndex: z.number().int(),
    time: z.iso.datetime().openapi({ description: 'time of the block' }),
    txHash: hashSchema,
    orderUid: orderUidSchema,
    owner: addressSchema.openapi({ description: 'owner of the order, or the account for which it was placed' }),
    solver: addressSchema,
    auctionId: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'null: settled outside the auctions of this service' }),
    sellToken: addressSchema,
    buyToken: addressSchema,
    sellAmount: amountTextSchema.openapi({ description: 'amount that left the owner' }),
    buyAmount: amountTextSchema,
    fee: amountTextSchema.openapi({
      description: 'all fees that the order paid in the trade, signed or in its price: sell token atoms',
    }),
    volume: amountTextSchema.nullable().openapi({
      description: "value of the sell amount at the auction's price, wei; null without a price",
    }),
    surplus: z.string().nullable().openapi({
      description: "gain over the limit price at the auction's price, wei; null without a price",
    }),
    volumeUsd: z.number().nullable().openapi({
      description:
        'the volume in US dollars at the price of the native token sampled nearest to the trade; null without one',
    }),
    surplusUsd: z.number().nullable().openapi({ description: 'the surplus in the same dollars' }),
    feeUsd: z.number().nullable().openapi({ description: 'the fee in the same dollars' }),
  })
  .openapi('NetworkTrade')

const getNetworkTradesRoute = createRoute({
  ...endpoint('getNetworkTrades'),
  tags: ['Trades'],
  summary: "List a network's trades",
  description:
    'Trades of the orders of this service, newest first. All given filters apply. With two of them a page reads at most 1000 ' +
    'further trades, so it may be short or empty and still have a next one.',
  request: { query: querySchema },
  responses: {
    200: {
      description: 'the trades',
      content: { 'application/json': { schema: z.array(networkTradeSchema) } },
      headers: nextPageHeaders,
    },
    ...errorResponses('InvalidParameter', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/explorer/trades`: trades of a network; the cursor is the position of a trade in the chain. */
export const getNetworkTrades = ({ database, network }: { database: Database; network: Network }) =>
  createApp().openapi(getNetworkTradesRoute, async (c) => {
    const { limit, cursor, ...filter } = c.req.valid('query')
    const { trades, next } = await selectNetworkTrades(database, network, filter, { after: cursor, limit })
    return c.json(trades.map(toResponse), 200, {
      ...toNextPageHeaders(c.req.url, next && `${next.blockNumber}-${next.logIndex}`),
      'Cache-Control': cachePolicies.recent,
    })
  })

const toResponse = (trade: NetworkTrade) => ({
  blockNumber: trade.blockNumber,
  logIndex: trade.logIndex,
  time: trade.settledAt.toISOString(),
  txHash: trade.transactionHash,
  orderUid: trade.orderUid,
  owner: trade.trader,
  solver: trade.solver,
  auctionId: trade.auctionId,
  sellToken: trade.sellToken,
  buyToken: trade.buyToken,
  sellAmount: trade.sellAmount.toString(),
  buyAmount: trade.buyAmount.toString(),
  fee: trade.fee.toString(),
  volume: trade.volume?.toString() ?? null,
  surplus: trade.surplus?.toString() ?? null,
  volumeUsd: toUsd(trade.volume, trade.nativePrice),
  surplusUsd: toUsd(trade.surplus, trade.nativePrice),
  feeUsd: toUsd(computeFeeWei(trade), trade.nativePrice),
})

/** Value of the fee at the price of the volume, rounded down. */
const computeFeeWei = ({ fee, volume, sellAmount }: NetworkTrade): bigint | null =>
  volume === null || sellAmount === 0n ? null : (fee * volume) / sellAmount

/** Rounded to cents. */
const toUsd = (wei: bigint | null, nativePrice: number | null): number | null =>
  wei === null || nativePrice === null ? null : Math.round((Number(wei) / 1e18) * nativePrice * 100) / 100
