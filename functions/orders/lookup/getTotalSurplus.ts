import { createRoute, z } from '@hono/zod-openapi'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { selectTotalSurplus } from '#schema/queries/settlements/totalSurplus.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { addressSchema, amountTextSchema } from '#shared/validation/chainValues.ts'

const totalSurplusSchema = z
  .object({ totalSurplus: amountTextSchema.openapi({ description: 'wei of the native token' }) })
  .openapi('TotalSurplus')

const getTotalSurplusRoute = createRoute({
  ...endpoint('getTotalSurplus'),
  tags: ['Orders'],
  summary: "Read a user's surplus",
  description:
    "Surplus of the user's trades over their limit prices, valued at the prices of their auctions. " +
    'A trade counts once its settlement is attributed to an auction. Unknown users return 0.',
  request: { params: z.object({ address: addressSchema }) },
  responses: {
    200: { description: 'the surplus', content: { 'application/json': { schema: totalSurplusSchema } } },
    ...errorResponses('InvalidParameter', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/users/{address}/total_surplus`: surplus of all trades over their limit prices, in wei. */
export const getTotalSurplus = ({ database, chainId }: NetworkDatabase) =>
  createApp().openapi(getTotalSurplusRoute, async (c) => {
    const surplus = await selectTotalSurplus(database, chainId, c.req.valid('param').address)
    return c.json({ totalSurplus: surplus.toString() }, 200)
  })
