import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { selectAverageAprs } from '#schema/queries/markets/yieldPools.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { chainParamSchema } from '#shared/networks/chainParam.ts'
import type { Network } from '#shared/networks.ts'

export type AverageAprsDeps = {
  /** rejects when the network is not served */
  checkServed: (network: Network) => void
  database: Database
}

const aprsSchema = z.record(z.string(), z.number()).openapi('AverageAprs', { description: 'project → percent a year' })

const getAverageAprsRoute = createRoute({
  ...endpoint('getAverageAprs'),
  tags: ['Markets'],
  summary: 'Average yield of the pools of each project',
  request: { params: z.object({ chainId: chainParamSchema }) },
  responses: {
    200: { description: 'empty without data', content: { 'application/json': { schema: aprsSchema } } },
    ...messageResponses(['NotFound', 'ServiceUnavailable']),
  },
})

/** `GET /{chainId}/yield/pools-average-apr` */
export const getAverageAprs = (deps: AverageAprsDeps) =>
  createApp(auxiliaryFormat).openapi(getAverageAprsRoute, async (c) => {
    const { chainId: network } = c.req.valid('param')
    deps.checkServed(network)
    c.header('Cache-Control', cachePolicies.yield)
    return c.json(await selectAverageAprs(deps.database, network.chainId), 200)
  })
