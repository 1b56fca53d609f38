import { createRoute, z } from '@hono/zod-openapi'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { type NetworkName, networkNames, networks } from '#shared/networks.ts'
import type { FindAsset } from './connectAssets.ts'
import type { Workers } from './connectWorkers.ts'
import type { LocalChains } from './local/connectLocalChains.ts'
import { answerPage } from './pages/getConsole.ts'
import { prefersHtml } from './pages/prefersHtml.ts'

export type IndexDeps = {
  workers: Workers
  version: string
  localChains: LocalChains
  /** without it there is no page */
  findAsset: FindAsset | undefined
}

const addressSchema = z.string().regex(/^0x[0-9a-f]{40}$/)

const servedNetworkSchema = z
  .object({
    name: z.enum(networkNames),
    label: z.string().openapi({ description: 'for people', example: 'Sepolia' }),
    chainId: z.number().int(),
    path: z.string().openapi({ description: 'under which its order book answers', example: '/sepolia/api/v1' }),
    nativeSymbol: z.string().openapi({ example: 'ETH' }),
    wrappedNative: addressSchema.openapi({ description: 'the token that the native one is wrapped in' }),
    settlementContract: addressSchema.openapi({ description: 'verifies the signatures of orders' }),
    vaultRelayer: addressSchema.openapi({ description: 'what owners approve to take their sell tokens' }),
    explorerUrl: z.string().nullable().openapi({
      description: 'of its block explorer: `/tx/…` and `/address/…` lead to pages; null for a chain of this machine',
      example: 'https://sepolia.etherscan.io',
    }),
    blockTimeSeconds: z.number(),
    localWallet: z.string().nullable().openapi({
      description:
        'null, but on a local stack: where JSON-RPC reaches a wallet with unlocked, funded accounts of its chain',
      example: null,
    }),
  })
  .openapi('ServedNetwork')

const indexSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  networks: z.array(servedNetworkSchema).openapi({ description: 'those served here' }),
  links: z.record(z.string(), z.string()),
})

const getIndexRoute = createRoute({
  method: 'get',
  path: '/',
  tags: ['Service'],
  summary: 'What is served here',
  description:
    'Name and version of this deployment, its networks, and where to go on; for a browser, whose `Accept` prefers `text/html`, a page to trade on.',
  responses: {
    200: {
      description: 'the index, or the page',
      content: { 'application/json': { schema: indexSchema }, 'text/html': { schema: z.string() } },
    },
    304: { description: 'the page is as `If-None-Match` says' },
    ...errorResponses('NotFound', 'RateLimited', 'ServiceUnavailable'),
  },
})

/** `GET /`: for people and programs that know only the base URL. */
export const getIndex = ({ workers, version, localChains, findAsset }: IndexDeps) => {
  const index = {
    name: 'edgebook',
    version,
    description: 'trade ERC-20 tokens with signed orders that competing solvers settle on-chain',
    networks: (Object.keys(workers) as NetworkName[]).map((name) => toServedNetwork(name, localChains)),
    links: {
      health: '/healthz',
      readiness: '/readyz',
      status: '/status.json',
      limits: '/limits',
      openapi: '/openapi.json',
      docs: '/docs',
    },
  }
  return createApp().openapi(getIndexRoute, async (c) => {
    c.header('Vary', 'Accept')
    if (!findAsset || !prefersHtml(c.req.header('Accept'))) return c.json(index, 200)
    const page = await answerPage(c, findAsset)
    page.headers.set('Vary', 'Accept')
    return page as never
  })
}

const toServedNetwork = (name: NetworkName, localChains: LocalChains) => {
  const { label, chainId, nativeSymbol, wrappedNative, settlementContract, vaultRelayer, explorerUrl } = networks[name]
  const isLocal = localChains[name] !== undefined
  return {
    name,
    label,
    chainId,
    path: `/${name}/api/v1`,
    nativeSymbol,
    wrappedNative,
    settlementContract,
    vaultRelayer,
    explorerUrl: isLocal ? null : explorerUrl,
    blockTimeSeconds: networks[name].blockTimeSeconds,
    localWallet: isLocal ? `/local/${name}/rpc` : null,
  }
}
