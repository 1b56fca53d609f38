import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { type NetworkName, networkNames, networks } from '#shared/networks.ts'
import type { LocalChains } from '../local/connectLocalChains.ts'
import type { FindAsset } from '../pages/connectAssets.ts'
import { servePage } from '../pages/getConsole.ts'
import { prefersHtml } from '../pages/prefersHtml.ts'
import type { Workers } from '../routing/connectWorkers.ts'

/** Public nodes by network, never those of the service. */
export type PublicRpcUrls = ReadonlyMap<NetworkName, string>

export type ServiceIndexDeps = {
  workers: Workers
  version: string
  publicRpcUrls: PublicRpcUrls
  localChains: LocalChains
  /** undefined: no page is deployed */
  findAsset: FindAsset | undefined
}

const addressSchema = z.string().regex(/^0x[0-9a-f]{40}$/)

const servedNetworkSchema = z
  .object({
    name: z.enum(networkNames),
    label: z.string().openapi({ description: 'human-readable name', example: 'Sepolia' }),
    chainId: z.number().int(),
    path: z.string().openapi({ description: 'base path of its order book', example: '/sepolia/api/v1' }),
    nativeSymbol: z.string().openapi({ example: 'ETH' }),
    wrappedNative: addressSchema.openapi({ description: 'ERC-20 wrapper of the native token' }),
    settlementContract: addressSchema.openapi({ description: 'verifies the signatures of orders' }),
    vaultRelayer: addressSchema.openapi({ description: 'contract that owners approve to transfer their sell tokens' }),
    hooksTrampoline: addressSchema.openapi({ description: 'runs the hooks of orders' }),
    ethFlow: addressSchema.openapi({ description: 'sells the native token with one transaction (`createOrder`)' }),
    composableCow: addressSchema.openapi({
      description: 'registry of conditional orders (`create`); the zero address: none',
    }),
    publicRpcUrl: z.string().nullable().openapi({
      description: 'JSON-RPC URL that a wallet without this network can add (EIP-3085); null without one',
      example: null,
    }),
    explorerUrl: z.string().nullable().openapi({
      description: 'base URL of its block explorer, with pages at `/tx/…` and `/address/…`; null for a local chain',
      example: 'https://sepolia.etherscan.io',
    }),
    blockTimeSeconds: z.number(),
    localWallet: z.string().nullable().openapi({
      description: 'local stacks only, else null: JSON-RPC path of a wallet with unlocked, funded accounts',
      example: null,
    }),
  })
  .openapi('ServedNetwork')

const indexSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  networks: z.array(servedNetworkSchema).openapi({ description: 'networks of this deployment' }),
  links: z.record(z.string(), z.string()),
})

const getIndexRoute = createRoute({
  ...endpoint('getIndex'),
  tags: ['Service'],
  summary: 'Index of this deployment',
  description:
    'Name, version, networks and links. Browsers, whose `Accept` prefers `text/html`, get the trading page instead.',
  responses: {
    200: {
      description: 'the index, or the page',
      content: { 'application/json': { schema: indexSchema }, 'text/html': { schema: z.string() } },
    },
    304: { description: 'the page matches `If-None-Match`' },
    ...errorResponses('NotFound', 'RateLimited', 'ServiceUnavailable'),
  },
})

/** `GET /`: entry point for people and programs that know only the base URL. */
export const getIndex = ({ workers, version, publicRpcUrls, localChains, findAsset }: ServiceIndexDeps) => {
  const index = {
    name: 'edgebook',
    version,
    description: 'trade ERC-20 tokens with signed orders that competing solvers settle on-chain',
    networks: (Object.keys(workers) as NetworkName[]).map((name) => toServedNetwork(name, publicRpcUrls, localChains)),
    links: {
      health: '/healthz',
      readiness: '/readyz',
      status: '/status.json',
      limits: '/limits',
      openapi: '/openapi.json',
      errors: '/errors',
      docs: '/docs',
      mcp: '/mcp',
      llms: '/llms.txt',
      catalogue: '/.well-known/api-catalog',
    },
  }
  return createApp().openapi(getIndexRoute, async (c) => {
    c.header('Vary', 'Accept')
    if (!findAsset || !prefersHtml(c.req.header('Accept'))) return c.json(index, 200)
    const page = await servePage(c, findAsset)
    page.headers.set('Vary', 'Accept')
    return page
  })
}

const toServedNetwork = (name: NetworkName, publicRpcUrls: PublicRpcUrls, localChains: LocalChains) => {
  const { label, chainId, nativeSymbol, wrappedNative, explorerUrl } = networks[name]
  const { settlementContract, vaultRelayer, hooksTrampoline, ethFlow, composableCow } = networks[name]
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
    hooksTrampoline,
    ethFlow,
    composableCow,
    publicRpcUrl: publicRpcUrls.get(name) ?? null,
    explorerUrl: isLocal ? null : explorerUrl,
    blockTimeSeconds: networks[name].blockTimeSeconds,
    localWallet: isLocal ? `/local/${name}/rpc` : null,
  }
}
