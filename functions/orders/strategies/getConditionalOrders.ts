import { createRoute, z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { type ConditionalPosition, selectConditionalOrders } from '#schema/queries/strategies/conditionalOrderPages.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { addressSchema, orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { cursorSchema, listLimitSchema, nextPageHeaders, toNextPageHeaders } from '#shared/validation/listPage.ts'
import { conditionalOrderSchema, toConditionalResponse } from './conditionalResponse.ts'

const querySchema = z.object({
  owner: addressSchema.optional(),
  state: z
    .enum(['open', 'ended'], '`open` or `ended`')
    .optional()
    .openapi({ description: '`ended`: finished, removed by its owner, or given up' }),
  orderUid: orderUidInputSchema.optional().openapi({ description: 'the one that this order is a part of' }),
  limit: listLimitSchema,
  cursor: cursorSchema(/^\d{1,15}-\d{1,9}-0x[0-9a-f]{64}$/, (text): ConditionalPosition => {
    const [blockNumber, logIndex, hash] = text.split('-')
    return { blockNumber: Number(blockNumber), logIndex: Number(logIndex), hash: hash as Hex }
  }),
})

const getConditionalOrdersRoute = createRoute({
  ...endpoint('getConditionalOrders'),
  tags: ['Conditional orders'],
  summary: 'List conditional orders',
  description:
    'Conditional orders (TWAP, stop loss, good after time and others) that owners authorised in the registry ' +
    '`composableCow`, newest first. All given filters apply.',
  request: { query: querySchema },
  responses: {
    200: {
      description: 'the conditional orders',
      content: { 'application/json': { schema: z.array(conditionalOrderSchema) } },
      headers: nextPageHeaders,
    },
    ...errorResponses('InvalidParameter', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/conditional_orders`: the cursor is the position of an order in the list. */
export const getConditionalOrders = ({ database, chainId }: NetworkDatabase) =>
  createApp().openapi(getConditionalOrdersRoute, async (c) => {
    const { limit, cursor, ...filter } = c.req.valid('query')
    const found = await selectConditionalOrders(database, chainId, filter, { after: cursor, limit: limit + 1 })
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    return c.json(page.map(toConditionalResponse), 200, {
      ...toNextPageHeaders(c.req.url, last ? `${last.blockNumber}-${last.logIndex}-${last.hash}` : null),
      'Cache-Control': cachePolicies.live,
    })
  })
