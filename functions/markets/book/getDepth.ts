import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { type OpenAmounts, selectPairDepth } from '#schema/queries/auctions/pairDepth.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { Network } from '#shared/networks.ts'
import { amountTextSchema } from '#shared/validation/chainValues.ts'
import { marketParamsSchema } from '../slippage/marketPair.ts'
import { toMarketTokens } from '../slippage/marketTokens.ts'

export type DepthDeps = {
  /** throws when the network is not served */
  checkServed: (network: Network) => void
  databaseOf: (chainId: number) => Database
}

const levelSchema = z.object({
  base: amountTextSchema.openapi({ description: 'atoms of the first token' }),
  quote: amountTextSchema.openapi({ description: 'atoms of the second token: the limit price is their ratio' }),
})

const depthSchema = z
  .object({
    sells: z.array(levelSchema).openapi({ description: 'orders that sell the first token, the lowest price first' }),
    buys: z.array(levelSchema).openapi({ description: 'orders that buy it, the highest price first' }),
  })
  .openapi('Depth')

const getDepthRoute = createRoute({
  ...endpoint('getDepth'),
  tags: ['Markets'],
  summary: 'Open orders of a pair',
  description:
    'What the orders of the newest auction still sell and demand, at most the 200 nearest to the market in each direction. ' +
    'Orders without funds or signature are in no auction. Pools are not included: a quote has the price of an amount.',
  request: { params: marketParamsSchema },
  responses: {
    200: { description: 'the orders', content: { 'application/json': { schema: depthSchema } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      NotFound: 'the network is not served',
    }),
  },
})

/** `GET /{chainId}/markets/{base}-{quote}/depth` */
export const getDepth = ({ checkServed, databaseOf }: DepthDeps) =>
  createApp(auxiliaryFormat).openapi(getDepthRoute, async (c) => {
    const { chainId: network, pair } = c.req.valid('param')
    checkServed(network)
    const tokens = { base: toMarketTokens(network, pair.base), quote: toMarketTokens(network, pair.quote) }
    const { sells, buys } = await selectPairDepth(databaseOf(network.chainId), network.chainId, tokens)
    const body = { sells: sells.map(toSell), buys: buys.map(toBuy) }
    return c.json(body, 200, { 'Cache-Control': cachePolicies.recent })
  })

const toSell = ({ sell, buy }: OpenAmounts) => ({ base: sell.toString(), quote: buy.toString() })
const toBuy = ({ sell, buy }: OpenAmounts) => ({ base: buy.toString(), quote: sell.toString() })
