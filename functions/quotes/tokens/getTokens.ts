import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import { selectPopularTokens } from '#schema/queries/tokens/popularTokens.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { Network } from '#shared/networks.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import { type DescribeTokens, findOfferedTokens } from './findOfferedTokens.ts'

export type GetTokensDeps = {
  database: Database
  network: Network
  /** tokens that the operator lists, best first */
  listedTokens: readonly Address[]
  unsupportedTokens: ReadonlySet<Address>
  /** rejects when the node fails */
  findTokenDetails: DescribeTokens
}

const offeredTokenSchema = z
  .object({
    address: addressSchema,
    name: z.string().optional(),
    symbol: z.string().optional(),
    decimals: z.number().int().min(0).max(255),
  })
  .openapi('OfferedToken')

const getTokensRoute = createRoute({
  ...endpoint('getTokens'),
  tags: ['Tokens'],
  summary: 'Token list for token pickers',
  description:
    'At most 100 tokens: the wrapped native token, the US dollar token, tokens listed by the operator, then the most traded tokens of the last 30 days. Tokens outside the list can be traded as well. Name and symbol come from the token contract and prove nothing about its identity; tokens that do not report decimals are left out.',
  responses: {
    200: {
      description: 'tokens in display order',
      content: { 'application/json': { schema: z.array(offeredTokenSchema) } },
    },
    ...errorResponses('ServiceUnavailable'),
  },
})

const maxTokens = 100

/**
 * `GET /{network}/api/v1/tokens`: one database query for the trades, then the details stated by the token contracts.
 */
export const getTokens = (deps: GetTokensDeps) =>
  createApp().openapi(getTokensRoute, async (c) => {
    const traded = await selectPopularTokens(deps.database, deps.network.chainId, maxTokens)
    const { trusted, popular } = chooseTokens(deps, traded)
    const offered = await findOfferedTokens(deps.findTokenDetails, trusted, popular)
    c.header('Cache-Control', cachePolicies.tokenDetails)
    return c.json(offered, 200)
  })

const chooseTokens = (
  { network, listedTokens, unsupportedTokens }: GetTokensDeps,
  traded: Address[],
): { trusted: Address[]; popular: Address[] } => {
  const isSupported = (token: Address) => !unsupportedTokens.has(token)
  const chosen = new Set([network.wrappedNative, network.usdReference.address, ...listedTokens].filter(isSupported))
  const trusted = [...chosen].slice(0, maxTokens)
  const popular = traded.filter((token) => isSupported(token) && !chosen.has(token))
  return { trusted, popular: popular.slice(0, maxTokens - trusted.length) }
}
