import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import { selectDebugReport } from '#schema/queries/debug/debugReport.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { findNetworkOf, nativeSentinel } from '#shared/networks.ts'
import type { OrderAppData } from '#shared/orders/orderResponse.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import type { FindToken } from '#shared/tokens/tokenWords.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { completeReport } from '../archive/completeReport.ts'
import type { FindArchived } from '../archive/connectArchive.ts'
import { hasBearerToken } from '../hasBearerToken.ts'
import type { StoredVerdict } from '../simulation/simulateStoredOrder.ts'
import { isWaiting } from './isWaiting.ts'
import { debugReportSchema, toDebugReport } from './toDebugReport.ts'

export type DebugReportDeps = {
  database: Database
  chainId: number
  /** when set, the report requires it as a bearer token */
  token: string | undefined
  archive: FindArchived
  /** the current verdict on an order in the auctions; undefined when it is not available in time */
  findVerdict: (order: StoredOrder) => Promise<StoredVerdict | undefined>
  /** known token facts, for the sentences */
  findTokens: (tokens: readonly Address[]) => Promise<FindToken>
  /** Unix milliseconds */
  now: () => number
  orderAppData?: OrderAppData
}

/** The user of an order that a contract placed paid the native token, which the sentences name instead of its wrapped form. */
const findShownTokens = async ({ chainId, findTokens }: DebugReportDeps, order: StoredOrder): Promise<FindToken> => {
  const wrapped = order.onchainUser === null ? undefined : findNetworkOf(chainId)?.wrappedNative
  const toShown = (token: Address): Address => (token === wrapped ? nativeSentinel : token)
  const find = await findTokens([order.sellToken, order.buyToken].map(toShown))
  return (token) => find(toShown(token))
}

const debugReportRoute = <Name extends 'getDebugReport' | 'getRestrictedDebugReport'>(name: Name) =>
  createRoute({
    ...endpoint(name),
    tags: ['Debug'],
    summary: 'Full history of one order',
    request: { params: z.object({ uid: orderUidInputSchema }) },
    responses: {
      200: { description: 'the report', content: { 'application/json': { schema: debugReportSchema } } },
      ...errorResponses('InvalidParameter', 'Unauthorized', 'NotFound', 'InternalServerError', 'ServiceUnavailable'),
    },
  })

/** `GET /{network}/api/v1/debug/order/{uid}`, also under `/restricted`: why an order was or was not filled. */
export const getDebugReport = (deps: DebugReportDeps) => {
  const app = createApp()
  for (const name of ['getDebugReport', 'getRestrictedDebugReport'] as const) {
    app.openapi(debugReportRoute(name), async (c) => {
      if (deps.token !== undefined && !hasBearerToken(c.req.header('Authorization'), deps.token)) {
        c.header('WWW-Authenticate', 'Bearer')
        throw new ApiError('Unauthorized')
      }
      const { uid } = c.req.valid('param')
      const stored = await selectDebugReport(deps.database, deps.chainId, uid)
      if (!stored) throw new ApiError('NotFound', { description: 'order not found', data: { uid } })
      const { order, facts } = await completeReport(stored, deps.archive)
      const now = toUnixSeconds(deps.now())
      const [verdict, find] = await Promise.all([
        isWaiting(order, facts, now) ? deps.findVerdict(order) : undefined,
        findShownTokens(deps, order),
      ])
      const report = toDebugReport(order, facts, now, { ...verdict, find }, deps.orderAppData)
      return c.json(report, 200, {
        'Cache-Control': cachePolicies.noStore,
      })
    })
  }
  return app
}
