import { createRoute, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { isLoopbackHost, type LocalChains } from './connectLocalChains.ts'
import { requestLocalChain } from './requestLocalChain.ts'
import { rpcRequestSchema, rpcResponseSchema } from './rpcRequest.ts'

const maxBodyBytes = 64 * 1024
const foreignPage = 'the local wallet is restricted to programs on this machine and pages of this gateway'

const errors = errorResponses(
  'Forbidden',
  'InvalidParameter',
  'NotFound',
  'PayloadTooLarge',
  'ServiceUnavailable',
  'UnsupportedMediaType',
)

/**
 * Rejects requests of foreign pages by their `Origin`. A foreign host name that resolves to this machine would make a
 * page same-origin (DNS rebinding), so the host must be a loopback name, too.
 * @throws ApiError `Forbidden`
 */
const refuseForeignPages: MiddlewareHandler = async (c, next) => {
  const { origin, hostname } = new URL(c.req.url)
  const requestOrigin = c.req.header('Origin')
  if (!isLoopbackHost(hostname) || (requestOrigin !== undefined && requestOrigin !== origin))
    throw new ApiError('Forbidden', { description: foreignPage })
  await next()
}

const refuseBody = (): never => {
  throw new ApiError('PayloadTooLarge', { data: { maxBytes: maxBodyBytes } })
}

const buildRoute = (names: [NetworkName, ...NetworkName[]]) =>
  createRoute({
    ...endpoint('postLocalRpc'),
    tags: ['Console'],
    summary: 'A wallet for a local stack',
    description:
      'JSON-RPC of a wallet with the unlocked, funded accounts of a local chain. Exists on local stacks only, for programs on the same machine and its own pages.',
    request: {
      params: z.object({ network: z.enum(names) }),
      body: {
        content: {
          'application/json': {
            schema: rpcRequestSchema,
            example: { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
          },
        },
        required: true,
      },
    },
    middleware: [refuseForeignPages, bodyLimit({ maxSize: maxBodyBytes, onError: refuseBody })] as const,
    responses: {
      200: {
        description: 'the JSON-RPC response of the wallet',
        content: { 'application/json': { schema: rpcResponseSchema } },
      },
      ...errors,
      403: { ...errors[403], description: `- \`Forbidden\`: ${foreignPage}` },
    },
  })

/** `POST /local/{network}/rpc`; without local chains there is no such route. */
export const postLocalRpc = (chains: LocalChains) => {
  const app = createApp()
  const [first, ...others] = Object.keys(chains) as NetworkName[]
  if (!first) return app
  return app.openapi(buildRoute([first, ...others]), async (c) => {
    const { network } = c.req.valid('param')
    const { id, method, params } = c.req.valid('json')
    const { chainId } = networks[network]
    const outcome = await requestLocalChain({ url: chains[network] ?? '', chainId }, { method, params })
    return c.json({ jsonrpc: '2.0' as const, id, ...outcome }, 200)
  })
}
