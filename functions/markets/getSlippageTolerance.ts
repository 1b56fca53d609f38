import { createRoute, z } from '@hono/zod-openapi'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { computeSlippage, type SlippageBounds } from './computeSlippage.ts'
import { findMarket, type MarketDeps } from './findMarket.ts'
import { marketParamsSchema } from './marketPair.ts'

const slippageSchema = z
  .object({
    slippageBps: z.number().int().min(0).max(10_000).openapi({ description: 'basis points of the price' }),
    basis: z.enum(['pair', 'tokens', 'unknown']).openapi({
      description:
        'what it rests on: the price of one token in the other; the more volatile of the two; or nothing, because too little is known of one, then it is the default',
    }),
  })
  .openapi('SlippageTolerance')

const getSlippageToleranceRoute = createRoute({
  method: 'get',
  path: '/{chainId}/markets/{pair}/slippageTolerance',
  tags: ['Markets'],
  summary: 'How far a price may move',
  description:
    'How much the price of a pair moves in five minutes, by the prices of the last day, within the bounds of this service.',
  request: { params: marketParamsSchema },
  responses: {
    200: { description: 'the slippage', content: { 'application/json': { schema: slippageSchema } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable']),
  },
})

/** `GET /{chainId}/markets/{base}-{quote}/slippageTolerance` */
export const getSlippageTolerance = (deps: MarketDeps & { bounds: SlippageBounds }) =>
  createApp(auxiliaryFormat).openapi(getSlippageToleranceRoute, async (c) => {
    const { chainId: network, pair } = c.req.valid('param')
    const { base, quote } = await findMarket(deps, network, pair)
    c.header('Cache-Control', cachePolicies.market)
    return c.json(computeSlippage(base, quote, deps.bounds), 200)
  })
