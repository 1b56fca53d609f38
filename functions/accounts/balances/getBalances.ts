import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { balanceParamsSchema, tokensQuerySchema } from './balanceParams.ts'
import { balanceSchema, toBalanceResponse } from './balanceResponse.ts'
import type { Account, AccountHolding } from './findAccountBalances.ts'

export type BalancesDeps = {
  /** in the order of the tokens; rejects with an ApiError when the network is not served, or its node fails */
  findBalances: (account: Account, tokens: readonly Address[]) => Promise<AccountHolding[]>
}

const getBalancesRoute = createRoute({
  ...endpoint('getBalances'),
  tags: ['Accounts'],
  summary: 'Balances and allowances of an account',
  description:
    'Balances and vault relayer allowances at the head of the chain, in the order of the request, without duplicates. A token that returns no valid amounts is listed with an `error`.',
  request: { params: balanceParamsSchema, query: tokensQuerySchema },
  responses: {
    200: {
      description: 'one entry for each token',
      content: { 'application/json': { schema: z.array(balanceSchema) } },
    },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable']),
  },
})

/** `GET /{chainId}/accounts/{user}/balances`: never cached, because clients read it right after a transaction. */
export const getBalances = (deps: BalancesDeps) =>
  createApp(auxiliaryFormat).openapi(getBalancesRoute, async (c) => {
    const { chainId: network, user: address } = c.req.valid('param')
    const holdings = await deps.findBalances({ network, address }, c.req.valid('query').tokens)
    return c.json(holdings.map(toBalanceResponse), 200)
  })
