import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { selectYieldPools } from '#schema/queries/markets/yieldPools.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { chainParamSchema } from '#shared/networks/chainParam.ts'
import type { Network } from '#shared/networks.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'

export type YieldPoolsDeps = {
  /** rejects when the network is not served */
  checkServed: (network: Network) => void
  database: Database
}

const maxPools = 500

const poolSchema = z
  .object({
    contract_address: addressSchema,
    chain_id: z.number().int(),
    project: z.string(),
    apr: z.number().openapi({ description: 'percent a year' }),
    fee: z.number().nullable().openapi({ description: 'percent of a trade; null: not known' }),
    tvl: z.number().openapi({ description: 'US dollars' }),
    volume: z.number().nullable().openapi({ description: 'US dollars in a day; null: not known' }),
  })
  .openapi('YieldPool')

const postYieldPoolsRoute = createRoute({
  ...endpoint('postYieldPools'),
  tags: ['Markets'],
  summary: 'Yields of pools',
  description: `Largest first, at most ${maxPools}; an empty list of addresses selects all pools of the network.`,
  request: {
    params: z.object({ chainId: chainParamSchema }),
    body: {
      content: { 'application/json': { schema: z.array(addressSchema).max(maxPools), example: [] } },
      required: true,
    },
  },
  responses: {
    200: { description: 'known pools', content: { 'application/json': { schema: z.array(poolSchema) } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable', 'UnsupportedMediaType']),
  },
})

/** `POST /{chainId}/yield/pools` */
export const postYieldPools = (deps: YieldPoolsDeps) =>
  createApp(auxiliaryFormat).openapi(postYieldPoolsRoute, async (c) => {
    const { chainId: network } = c.req.valid('param')
    deps.checkServed(network)
    const pools = await selectYieldPools(deps.database, network.chainId, c.req.valid('json'), maxPools)
    return c.json(
      pools.map((pool) => ({
        contract_address: pool.contractAddress,
        chain_id: network.chainId,
        project: pool.project,
        apr: pool.apr,
        fee: pool.fee,
        tvl: pool.tvl,
        volume: pool.volume,
      })),
      200,
    )
  })
