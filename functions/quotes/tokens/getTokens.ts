import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { Network } from '#shared/networks.ts'
import { addressSchema } from '#shared/validation/address.ts'
import { type AskTokens, findOfferedTokens } from './findOfferedTokens.ts'

export type GetTokensDeps = {
  network: Network
  /** what whoever runs this wants to see offered, best first */
  listedTokens: readonly Address[]
  unsupportedTokens: ReadonlySet<Address>
  /** most traded first */
  selectPopularTokens: (limit: number) => Promise<Address[]>
  /** rejects when the node fails */
  findTokenDetails: AskTokens
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
  summary: 'Tokens to offer in a picker',
  description:
    'The wrapped native token, the one that stands for the US dollar, those that the operator lists, then those traded most in the last 30 days: at most 100. Any other token can be traded as well. Name and symbol are what the token says of itself, which is no proof of what it is; a token that does not say its decimals is left out.',
  responses: {
    200: {
      description: 'the tokens, in the order to offer them in',
      content: { 'application/json': { schema: z.array(offeredTokenSchema) } },
    },
    ...errorResponses('ServiceUnavailable'),
  },
})

const maxTokens = 100

/** `GET /{network}/api/v1/tokens`: one look at the trades, then what the tokens say of themselves. */
export const getTokens = (deps: GetTokensDeps) =>
  createApp().openapi(getTokensRoute, async (c) => {
    const { trusted, popular } = chooseTokens(deps, await deps.selectPopularTokens(maxTokens))
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
