import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { Network } from '#shared/networks.ts'
import type { UsdPrice } from './findUsdPrice.ts'
import { tokenParamsSchema } from './tokenParams.ts'

export type UsdPriceDeps = {
  /** rejects with an ApiError when the network is not served */
  findUsdPrice: (network: Network, token: Address) => Promise<UsdPrice>
}

const priceSchema = z
  .object({ price: z.number().openapi({ description: 'US dollars for one whole token' }) })
  .openapi('TokenPrice')

const getUsdPriceRoute = createRoute({
  method: 'get',
  path: '/{chainId}/tokens/{token}/usdPrice',
  tags: ['Tokens'],
  summary: 'What a token is worth',
  description:
    'By what the solvers of this service pay for it, checked against outside sources where they are configured; prices that contradict each other are not answered. `-` is the native token.',
  request: { params: tokenParamsSchema },
  responses: {
    200: { description: 'the price', content: { 'application/json': { schema: priceSchema } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      NotFound: '`Price not found`: no source knows the token',
      ServiceUnavailable: 'sources failed or contradict each other; retry later',
    }),
  },
})

/** `GET /{chainId}/tokens/{token}/usdPrice` */
export const getUsdPrice = (deps: UsdPriceDeps) =>
  createApp(auxiliaryFormat).openapi(getUsdPriceRoute, async (c) => {
    const { chainId: network, token } = c.req.valid('param')
    const found = await deps.findUsdPrice(network, token)
    if (found.status === 'price') {
      c.header('Cache-Control', cachePolicies.usdPrice)
      return c.json({ price: found.price }, 200)
    }
    if (found.status === 'unknown') {
      c.header('Cache-Control', cachePolicies.unknownToken)
      return c.json({ message: 'Price not found', data: { token } }, 404)
    }
    throw toOutage(found)
  })

/** What the sources said of their failures is for the log. */
const toOutage = (found: Extract<UsdPrice, { status: 'unavailable' | 'disputed' }>): ApiError =>
  found.status === 'disputed'
    ? new ApiError('ServiceUnavailable', {
        description: 'price sources contradict each other',
        data: { prices: found.prices, retryable: true },
      })
    : new ApiError('ServiceUnavailable', {
        description: 'no price source answers',
        data: { sources: Object.keys(found.sources), retryable: true },
        context: { sources: found.sources },
      })
