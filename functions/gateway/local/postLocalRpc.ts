import { createRoute, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { askLocalChain } from './askLocalChain.ts'
import { isLoopbackHost, type LocalChains } from './connectLocalChains.ts'
import { rpcAnswerSchema, rpcRequestSchema } from './rpcRequest.ts'

const maxBodyBytes = 64 * 1024
const foreignPage = 'the local wallet answers programs of this machine and the pages of this gateway'

const errors = errorResponses(
  'Forbidden',
  'InvalidParameter',
  'NotFound',
  'PayloadTooLarge',
  'ServiceUnavailable',
  'UnsupportedMediaType',
)

/**
 * A browser says which page asks. A page of anybody whose name leads to this machine has an origin that is ours by that name:
 * so the name has to be one of this machine, too.
 * @throws ApiError `Forbidden`
 */
const refuseForeignPages: MiddlewareHandler = async (c, next) => {
  const { origin, hostname } = new URL(c.req.url)
  const asking = c.req.header('Origin')
  if (!isLoopbackHost(hostname) || (asking !== undefined && asking !== origin))
    throw new ApiError('Forbidden', { description: foreignPage })
  await next()
}

const refuseBody = (): never => {
  throw new ApiError('PayloadTooLarge', { data: { maxBytes: maxBodyBytes } })
}

const buildRoute = (names: [NetworkName, ...NetworkName[]]) =>
  createRoute({
    method: 'post',
    path: '/local/{network}/rpc',
    tags: ['Console'],
    summary: 'A wallet for a local stack',
    description:
      'JSON-RPC of a wallet with the unlocked, funded accounts of a local chain. Only a local stack has this path, and only programs of this machine and its own pages may use it.',
    request: {
      params: z.object({ network: z.enum(names) }),
      body: { content: { 'application/json': { schema: rpcRequestSchema } }, required: true },
    },
    middleware: [refuseForeignPages, bodyLimit({ maxSize: maxBodyBytes, onError: refuseBody })] as const,
    responses: {
      200: { description: 'what the wallet says', content: { 'application/json': { schema: rpcAnswerSchema } } },
      ...errors,
      403: { ...errors[403], description: `- \`Forbidden\`: ${foreignPage}` },
    },
  })

/** `POST /local/{network}/rpc`, where there are local chains; nothing where there are none. */
export const postLocalRpc = (chains: LocalChains) => {
  const app = createApp()
  const [first, ...others] = Object.keys(chains) as NetworkName[]
  if (!first) return app
  return app.openapi(buildRoute([first, ...others]), async (c) => {
    const { network } = c.req.valid('param')
    const { id, method, params } = c.req.valid('json')
    const { chainId } = networks[network]
    const outcome = await askLocalChain({ url: chains[network] ?? '', chainId }, { method, params })
    return c.json({ jsonrpc: '2.0' as const, id, ...outcome }, 200)
  })
}
