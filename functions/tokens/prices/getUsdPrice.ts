import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { linkToError } from '#shared/http/errorCatalogue.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { Network } from '#shared/networks.ts'
import { tokenParamsSchema } from '../tokenParams.ts'
import type { UsdPrice } from './findUsdPrice.ts'

export type UsdPriceDeps = {
  /** rejects with an ApiError when the network is not served */
  findUsdPrice: (network: Network, token: Address) => Promise<UsdPrice>
}

const priceSchema = z
  .object({ price: z.number().openapi({ description: 'US dollars for one whole token' }) })
  .openapi('TokenPrice')

const getUsdPriceRoute = createRoute({
  ...endpoint('getUsdPrice'),
  tags: ['Tokens'],
  summary: 'US dollar price of a token',
  description:
    'Derived from the native prices of the solvers, and verified against configured external sources; contradicting prices are a 503. `-` is the native token.',
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
      c.header('Link', linkToError('NotFound'))
      return c.json({ message: 'Price not found', data: { token } }, 404)
    }
    throw toOutage(found)
  })

/** Error texts of the sources only go to the log. */
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
