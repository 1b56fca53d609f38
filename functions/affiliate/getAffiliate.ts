import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { selectAffiliate } from '#schema/queries/affiliate/affiliates.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import { affiliateSchema, toAffiliateResponse } from './affiliateResponse.ts'

const getAffiliateRoute = createRoute({
  ...endpoint('getAffiliate'),
  tags: ['Affiliates'],
  summary: "A wallet's affiliate code",
  description: 'The code bound to the wallet, and the terms of its registration.',
  request: { params: z.object({ walletAddress: addressSchema }) },
  responses: {
    200: { description: 'the code', content: { 'application/json': { schema: affiliateSchema } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      NotFound: '`Affiliate not found`: the wallet has no code',
    }),
  },
})

/** `GET /affiliate/{walletAddress}` */
export const getAffiliate = (findDatabase: () => Database) =>
  createApp(auxiliaryFormat).openapi(getAffiliateRoute, async (c) => {
    const affiliate = await selectAffiliate(findDatabase(), c.req.valid('param').walletAddress)
    if (!affiliate) throw new ApiError('NotFound', { description: 'Affiliate not found' })
    return c.json(toAffiliateResponse(affiliate), 200)
  })
