import { createRoute } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { Network } from '#shared/networks.ts'
import type { TokenDetails } from '#shared/tokens/tokenDetails.ts'
import { tokenParamsSchema } from '../tokenParams.ts'
import { tokenDetailsSchema } from './tokenDetailsResponse.ts'

export type TokenDetailsDeps = {
  /** in the order of the tokens; undefined for addresses that are not tokens; rejects with an ApiError */
  findTokenDetails: (network: Network, tokens: readonly Address[]) => Promise<(TokenDetails | undefined)[]>
}

const getTokenDetailsRoute = createRoute({
  ...endpoint('getTokenDetails'),
  tags: ['Tokens'],
  summary: 'Token metadata',
  description: 'Name, symbol and decimals, read from the token contract.',
  request: { params: tokenParamsSchema },
  responses: {
    200: { description: 'the token', content: { 'application/json': { schema: tokenDetailsSchema } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable']),
  },
})

/** `GET /{chainId}/tokens/{token}/details` */
export const getTokenDetails = (deps: TokenDetailsDeps) =>
  createApp(auxiliaryFormat).openapi(getTokenDetailsRoute, async (c) => {
    const { chainId: network, token } = c.req.valid('param')
    const [details] = await deps.findTokenDetails(network, [token])
    if (!details) throw new ApiError('NotFound', { description: 'Token not found', data: { token } })
    c.header('Cache-Control', cachePolicies.tokenDetails)
    return c.json(details, 200)
  })
