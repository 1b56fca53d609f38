import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { type NetworkAuction, selectNetworkAuctions } from '#schema/queries/explorer/networkAuctions.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { addressSchema, amountTextSchema, hashSchema } from '#shared/validation/chainValues.ts'
import { cursorSchema, listLimitSchema, nextPageHeaders, toNextPageHeaders } from '#shared/validation/listPage.ts'
import { toWinStatus, winStatusSchema } from './winStatus.ts'

export type GetAuctionsDeps = {
  database: Database
  chainId: number
  /** `HIDE_COMPETITION_BEFORE_DEADLINE` */
  hideBeforeDeadline: boolean
}

const auctionSummarySchema = z
  .object({
    id: z.number().int(),
    block: z.number().int().openapi({ description: 'head block when the auction was cut' }),
    deadlineBlock: z.number().int().openapi({ description: 'last block in which a winner may settle' }),
    createdAt: z.iso.datetime(),
    orderCount: z.number().int().nullable().openapi({ description: 'null: recorded before the number was stored' }),
    solutionCount: z.number().int().openapi({ description: 'valid solutions' }),
    winners: z
      .array(
        z.object({
          solver: addressSchema,
          score: amountTextSchema.openapi({ description: 'wei' }),
          status: winStatusSchema,
          txHash: hashSchema.nullable().openapi({ description: 'its settlement; null without one' }),
        }),
      )
      .openapi({ description: 'in the order of the ranking' }),
  })
  .openapi('AuctionSummary')

const getAuctionsRoute = createRoute({
  ...endpoint('getAuctions'),
  tags: ['Auctions'],
  summary: 'List past auctions',
  description:
    'Auctions with at least one valid solution, newest first. `solver_competition/{auction_id}` has the details.',
  request: { query: z.object({ limit: listLimitSchema, cursor: cursorSchema(/^\d{1,15}$/, Number) }) },
  responses: {
    200: {
      description: 'the auctions',
      content: { 'application/json': { schema: z.array(auctionSummarySchema) } },
      headers: nextPageHeaders,
    },
    ...errorResponses('InvalidParameter', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/explorer/auctions`: auctions of a network; the cursor is an id. */
export const getAuctions = ({ database, chainId, hideBeforeDeadline }: GetAuctionsDeps) =>
  createApp().openapi(getAuctionsRoute, async (c) => {
    const { limit, cursor } = c.req.valid('query')
    const range = { before: cursor, limit: limit + 1, onlyPast: hideBeforeDeadline }
    const found = await selectNetworkAuctions(database, chainId, range)
    const page = found.slice(0, limit)
    const next = found.length > limit ? String(page.at(-1)?.id) : null
    return c.json(page.map(toSummary), 200, {
      ...toNextPageHeaders(c.req.url, next),
      'Cache-Control': cachePolicies.recent,
    })
  })

const toSummary = ({ winners, ...auction }: NetworkAuction) => ({
  ...auction,
  winners: winners.map(({ outcome, transactionHash, ...winner }) => ({
    ...winner,
    status: toWinStatus(outcome),
    txHash: transactionHash,
  })),
})
