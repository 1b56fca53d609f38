import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { chainParamSchema } from '#shared/networks/chainParam.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import type { TokenDetailsDeps } from './getTokenDetails.ts'
import { tokenDetailsSchema } from './tokenDetailsResponse.ts'

const requestSchema = z.object({ tokenAddresses: z.array(addressSchema).min(1).max(100) }).openapi('TokenAddresses')

const postTokenDetailsRoute = createRoute({
  ...endpoint('postTokenDetails'),
  tags: ['Tokens'],
  summary: 'Metadata of several tokens',
  description: 'In the order of the request; addresses that are not tokens are omitted.',
  request: {
    params: z.object({ chainId: chainParamSchema }),
    body: {
      content: { 'application/json': { schema: requestSchema, example: { tokenAddresses: exampleValues.tokens } } },
      required: true,
    },
  },
  responses: {
    200: {
      description: 'the tokens',
      content: { 'application/json': { schema: z.array(tokenDetailsSchema) } },
    },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable', 'UnsupportedMediaType']),
  },
})

/** `POST /{chainId}/tokens/details` */
export const postTokenDetails = (deps: TokenDetailsDeps) =>
  createApp(auxiliaryFormat).openapi(postTokenDetailsRoute, async (c) => {
    const { tokenAddresses } = c.req.valid('json')
    const details = await deps.findTokenDetails(c.req.valid('param').chainId, tokenAddresses)
    const known = details.filter((token) => token !== undefined)
    if (known.length === 0) throw new ApiError('NotFound', { description: 'No tokens found' })
    return c.json(known, 200)
  })
