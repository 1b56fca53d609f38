import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { selectCurrentAuction } from '#schema/queries/auctions/currentAuction.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { addressSchema, amountTextSchema } from '#shared/validation/chainValues.ts'

const auctionSchema = z
  .object({
    id: z.number().int(),
    block: z.number().int().openapi({ description: 'head block when the auction was cut' }),
    orders: z.array(z.record(z.string(), z.unknown())).openapi({ description: 'in the form that solvers receive' }),
    prices: z.record(z.string(), amountTextSchema).openapi({ description: 'by token, wei per 10^18 atoms' }),
    surplusCapturingJitOrderOwners: z.array(addressSchema),
  })
  .openapi('Auction')

const auctionRoute = createRoute({
  ...endpoint('getAuction'),
  tags: ['Auctions'],
  summary: 'The newest auction',
  responses: {
    200: { description: 'the auction', content: { 'application/json': { schema: auctionSchema } } },
    ...errorResponses('NotFound', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/auction`: the newest auction, which solvers work on now. */
export const getAuction = ({ database, chainId }: { database: Database; chainId: number }) =>
  createApp().openapi(auctionRoute, async (c) => {
    const auction = await selectCurrentAuction(database, chainId)
    if (!auction) throw new ApiError('NotFound', { description: 'There is no active auction' })
    const { id, block, orders, prices } = auction
    return c.json({ id, block, orders, prices, surplusCapturingJitOrderOwners: [] }, 200, {
      'Cache-Control': cachePolicies.noStore,
    })
  })
