import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { chainParamSchema } from '#shared/networks/chainParam.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import type { UsdPriceDeps } from './getUsdPrice.ts'

const requestSchema = z.object({ tokenAddresses: z.array(addressSchema).min(1).max(100) }).openapi('TokenAddresses')

const pricesSchema = z
  .array(
    z.object({
      address: addressSchema,
      price: z.number().nullable().openapi({ description: 'US dollars for one whole token; null: see status' }),
      status: z.enum(['price', 'unknown', 'unavailable', 'disputed']).openapi({
        description: 'unknown: no source has the token; unavailable, disputed: sources failed or contradict each other',
      }),
    }),
  )
  .openapi('TokenPrices')

const postUsdPricesRoute = createRoute({
  ...endpoint('postUsdPrices'),
  tags: ['Tokens'],
  summary: 'US dollar prices of several tokens',
  description: 'In the order of the request. Tokens without a price do not fail the request.',
  request: {
    params: z.object({ chainId: chainParamSchema }),
    body: {
      content: { 'application/json': { schema: requestSchema, example: { tokenAddresses: exampleValues.tokens } } },
      required: true,
    },
  },
  responses: {
    200: { description: 'the prices', content: { 'application/json': { schema: pricesSchema } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'UnsupportedMediaType']),
  },
})

/** `POST /{chainId}/tokens/prices` */
export const postUsdPrices = (deps: UsdPriceDeps) =>
  createApp(auxiliaryFormat).openapi(postUsdPricesRoute, async (c) => {
    const { chainId: network } = c.req.valid('param')
    const prices = await Promise.all(
      c.req.valid('json').tokenAddresses.map(async (address) => {
        const found = await deps.findUsdPrice(network, address)
        return { address, price: found.status === 'price' ? found.price : null, status: found.status }
      }),
    )
    return c.json(prices, 200)
  })
