import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import type { Page } from '#schema/queries/orders/orders.ts'
import { selectTrades, type TradeFilter } from '#schema/queries/settlements/trades.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { computeBodyEtag } from '#shared/http/computeBodyEtag.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { matchesEtag } from '#shared/http/matchesEtag.ts'
import { addressSchema, orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { maxOffset, pageFields } from './page.ts'
import { toTradeResponse, tradeResponseSchema } from './tradeResponse.ts'

/** v1 has no pages; this many of the newest trades are as expensive as the largest page of v2. */
const wholeList: Page = { offset: 0, limit: 1_000 }

/** A request has one of both, so only one has an example. */
const filterFields = {
  owner: addressSchema.optional(),
  orderUid: orderUidInputSchema.optional().openapi({ example: undefined }),
}

const responses = {
  200: {
    description: 'the trades, newest first',
    content: { 'application/json': { schema: z.array(tradeResponseSchema) } },
  },
  304: { description: 'not modified since the ETag of `If-None-Match`' },
  ...errorResponses('InvalidParameter', 'InvalidTradeFilter', 'InternalServerError', 'ServiceUnavailable'),
}

const getTradesRoute = createRoute({
  ...endpoint('getTrades'),
  tags: ['Trades'],
  summary: 'List trades, unpaged',
  description: `Trades of an owner or of an order (give exactly one); the newest ${wholeList.limit}. Prefer v2.`,
  deprecated: true,
  request: { query: z.object(filterFields) },
  responses,
})

const getTradesPageRoute = createRoute({
  ...endpoint('getTradesPage'),
  tags: ['Trades'],
  summary: 'List trades',
  description: `Trades of an owner or of an order (give exactly one), paginated. Trades after the ${maxOffset}th: the cursor of \`explorer/trades?owner=\`.`,
  request: { query: z.object({ ...filterFields, ...pageFields('InvalidLimit') }) },
  responses: {
    ...responses,
    ...errorResponses('InvalidParameter', 'InvalidTradeFilter', 'InvalidLimit'),
  },
})

/** `GET /{network}/api/v1/trades` and `/{network}/api/v2/trades`: trades of an owner's orders or of one order. */
export const getTrades = ({ database, chainId }: NetworkDatabase) => {
  const respond = async (c: Context, query: FilterQuery, page: Page) => {
    const trades = await selectTrades(database, chainId, toFilter(query), page)
    const body = trades.map(toTradeResponse)
    const etag = computeBodyEtag(body)
    c.header('ETag', etag)
    c.header('Cache-Control', cachePolicies.live)
    return matchesEtag(c.req.header('If-None-Match'), etag) ? c.body(null, 304) : c.json(body, 200)
  }
  return createApp()
    .openapi(getTradesRoute, (c) => respond(c, c.req.valid('query'), wholeList))
    .openapi(getTradesPageRoute, (c) => {
      const { offset, limit, ...query } = c.req.valid('query')
      return respond(c, query, { offset, limit })
    })
}

type FilterQuery = z.output<z.ZodObject<typeof filterFields>>

/** @throws ApiError `InvalidTradeFilter` unless exactly one of owner and orderUid is given */
const toFilter = ({ owner, orderUid }: FilterQuery): TradeFilter => {
  if (owner && orderUid === undefined) return { owner }
  if (orderUid && owner === undefined) return { orderUid }
  throw new ApiError('InvalidTradeFilter')
}
