import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { chainParamSchema } from '#shared/networks/chainParam.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import { maxTokens } from './balanceParams.ts'
import type { Account, AccountHolding } from './findAccountBalances.ts'

export type AddressBalancesDeps = {
  /** in the order of the tokens; rejects with an ApiError when the network is not served, or its node fails */
  findBalances: (account: Account, tokens: readonly Address[]) => Promise<AccountHolding[]>
  /** the most traded tokens, in descending order */
  findPopularTokens: (network: Network) => Promise<Address[]>
}

const getAddressBalancesRoute = createRoute({
  ...endpoint('getAddressBalances'),
  tags: ['Accounts'],
  summary: 'List the token balances of an account',
  description:
    'Balances above zero of the native token (0xeeee…), its wrapper, the US dollar reference token and the most traded tokens ' +
    `of the last 30 days, ${maxTokens} in all. Other tokens are not listed; request them by address.`,
  request: {
    params: z.object({
      chainId: chainParamSchema,
      address: addressSchema.openapi({ param: { name: 'address', in: 'path' } }),
    }),
  },
  responses: {
    200: {
      description: 'atoms by token address in lower case',
      content: { 'application/json': { schema: z.object({ balances: z.record(z.string(), z.string()) }) } },
    },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable']),
  },
})

/** `GET /{chainId}/address/{address}/balances` */
export const getAddressBalances = (deps: AddressBalancesDeps) =>
  createApp(auxiliaryFormat).openapi(getAddressBalancesRoute, async (c) => {
    const { chainId: network, address } = c.req.valid('param')
    const known = [nativeSentinel, network.wrappedNative, network.usdReference.address]
    const tokens = [...new Set([...known, ...(await deps.findPopularTokens(network))])].slice(0, maxTokens)
    const holdings = await deps.findBalances({ network, address }, tokens)
    const held = holdings.flatMap(({ token, balance = 0n }) =>
      balance > 0n ? [[token.address, balance.toString()] as const] : [],
    )
    return c.json({ balances: Object.fromEntries(held) }, 200)
  })
