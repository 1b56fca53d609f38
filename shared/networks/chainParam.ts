import { z } from '@hono/zod-openapi'
import { findNetwork, type Network, networks } from '../networks.ts'

const segments = Object.values<Network>(networks).flatMap(({ chainId, name, aliases }) => [
  String(chainId),
  name,
  ...aliases,
])

/** The path parameter `chainId` of the auxiliary API: a chain id, a name or an alias of `shared/networks.ts`. */
export const chainParamSchema = z
  .string()
  .openapi({ param: { name: 'chainId', in: 'path' }, enum: segments, example: '11155111' })
  .transform((segment, context) => {
    const network = findNetwork(segment)
    if (network) return network
    context.addIssue({ code: 'custom', message: `one of ${segments.join(', ')}`, params: { errorType: 'NotFound' } })
    return z.NEVER
  })
