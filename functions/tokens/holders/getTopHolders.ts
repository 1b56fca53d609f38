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
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import { tokenParamsSchema, tokenSchema } from '../tokenParams.ts'
import type { TopHolders } from './findTopHolders.ts'
import { maxHolders } from './holderSource.ts'

export type TopHoldersRouteDeps = {
  /** the native token has no holders; rejects with an ApiError when the network is not served */
  findTopHolders: (network: Network, token: Address) => Promise<TopHolders>
}

const holdersSchema = z
  .array(
    z
      .object({
        address: addressSchema,
        balance: z
          .string()
          .regex(/^\d{1,78}$/)
          .openapi({ description: 'atoms', example: '1000000' }),
      })
      .openapi('TokenHolder'),
  )
  .max(maxHolders)

const getTopHoldersRoute = createRoute({
  ...endpoint('getTopHolders'),
  tags: ['Tokens'],
  summary: 'Largest holders of a token',
  description: `The ${maxHolders} largest holders, largest first. Contract accounts are included; the native token has no list of holders.`,
  // the native token has no holders that an event shows
  request: {
    params: tokenParamsSchema.extend({ token: tokenSchema.openapi({ example: exampleValues.pair.sellToken }) }),
  },
  responses: {
    200: { description: 'the holders', content: { 'application/json': { schema: holdersSchema } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      NotFound: '`Token holders not found`: no source knows the token',
      ServiceUnavailable: 'a source that may know the token failed, or is still indexing its holders; retry later',
    }),
  },
})

/** `GET /{chainId}/tokens/{token}/topHolders` */
export const getTopHolders = (deps: TopHoldersRouteDeps) =>
  createApp(auxiliaryFormat).openapi(getTopHoldersRoute, async (c) => {
    const { chainId: network, token } = c.req.valid('param')
    const found = await deps.findTopHolders(network, token)
    if (found.status === 'holders') {
      c.header('Cache-Control', cachePolicies.topHolders)
      return c.json(
        found.holders.map(({ address, balance }) => ({ address, balance: String(balance) })),
        200,
      )
    }
    if (found.status === 'unknown') {
      c.header('Cache-Control', cachePolicies.unknownToken)
      c.header('Link', linkToError('NotFound'))
      return c.json({ message: 'Token holders not found', data: { token } }, 404)
    }
    // error texts of the sources only go to the log
    throw new ApiError('ServiceUnavailable', {
      description: 'no source of token holders answers',
      data: { sources: Object.keys(found.sources), retryable: true },
      context: { sources: found.sources },
    })
  })
