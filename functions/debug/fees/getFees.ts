import { createRoute, z } from '@hono/zod-openapi'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { selectRecordedFees } from '#schema/queries/settlements/fees.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { addressSchema, amountTextSchema } from '#shared/validation/chainValues.ts'
import { checkOperator } from '../checkOperator.ts'

export type FeesDeps = NetworkDatabase & { token: string | undefined }

/** Longest period of one response: the query reads all its trades. */
const maxDays = 31
const dayMs = 86_400_000

const feesSchema = z
  .object({
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    fees: z.array(
      z.object({
        party: z.enum(['protocol', 'partner', 'solver']),
        account: addressSchema.nullable().openapi({ description: 'null: the protocol' }),
        token: addressSchema,
        amount: amountTextSchema,
      }),
    ),
  })
  .openapi('Fees')

const getFeesRoute = createRoute({
  ...endpoint('getFees'),
  tags: ['Debug'],
  summary: 'Recorded fees by recipient and token',
  description:
    'Requires `DEBUG_TOKEN` as a bearer token. Fees of the protocol and of partners, and of solvers: signed fees and network fees in prices. `npm run fees` compares them with the balances of the settlement contract, and pays them.',
  request: {
    query: z.object({
      from: z.iso.datetime().openapi({ description: 'time of the first block', example: '2026-11-01T00:00:00Z' }),
      until: z.iso.datetime().openapi({
        description: `end of the period, at most ${maxDays} days later`,
        example: '2026-11-28T00:00:00Z',
      }),
    }),
  },
  responses: {
    200: { description: 'the fees', content: { 'application/json': { schema: feesSchema } } },
    ...errorResponses('InvalidParameter', 'Unauthorized', 'RateLimited', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/restricted/api/v1/fees` */
export const getFees = ({ database, chainId, token }: FeesDeps) =>
  createApp().openapi(getFeesRoute, async (c) => {
    checkOperator(token, c)
    const query = c.req.valid('query')
    const [from, until] = [new Date(query.from), new Date(query.until)]
    const days = (until.getTime() - from.getTime()) / dayMs
    if (days < 0 || days > maxDays)
      throw new ApiError('InvalidParameter', {
        description: `until must be from 0 to ${maxDays} days after from`,
        data: { field: 'until', got: query.until },
      })
    const recorded = await selectRecordedFees(database, chainId, { from, until })
    const fees = recorded.map(({ amount, ...fee }) => ({ ...fee, amount: amount.toString() }))
    const body = { from: from.toISOString(), until: until.toISOString(), fees }
    return c.json(body, 200, { 'Cache-Control': cachePolicies.noStore })
  })
