import { createRoute } from '@hono/zod-openapi'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { selectCurrentStatus } from '#schema/queries/status/selectCurrentStatus.ts'
import { selectRecentStatus } from '#schema/queries/status/selectRecentStatus.ts'
import { networkStatusSchema } from '#shared/alarms/networkStatusSchema.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cacheFor } from '#shared/cacheFor.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import type { SolverFaults, StatusSolver } from './toSolverStatuses.ts'
import { type Head, toStatus } from './toStatus.ts'

export type StatusDeps = NetworkDatabase & {
  /** configured solvers of this network */
  knownSolvers: readonly StatusSolver[]
  /** Unix milliseconds */
  now: () => number
  /** the newest block of the node */
  findHead: () => Promise<Head>
  /** reasons why solvers of this deployment cannot settle, by address */
  findSolverFaults: () => Promise<SolverFaults>
}

const currentMs = 5_000
const recentMs = 15_000
const headTimeoutMs = 2_000

const getStatusRoute = createRoute({
  ...endpoint('getNetworkStatus'),
  operationId: 'getNetworkStatus',
  tags: ['Service'],
  summary: 'Status of a network',
  description:
    'Latencies, auctions, indexer, notifications and solvers, cached for five seconds; statistics of the last 24 hours, cached for fifteen seconds. docs/operations.md explains the values.',
  responses: {
    200: { description: 'the status', content: { 'application/json': { schema: networkStatusSchema } } },
    ...errorResponses('RateLimited', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/status.json`: public and cached. A failing node is part of the status, not an error. */
export const getStatus = ({ database, chainId, knownSolvers, now, ...deps }: StatusDeps) => {
  const findCurrent = cacheFor(currentMs, now, async () => {
    const findHead = withDeadline(deps.findHead(), headTimeoutMs).catch(() => undefined)
    const [current, head, faults] = await Promise.all([
      selectCurrentStatus(database, chainId),
      findHead,
      deps.findSolverFaults(),
    ])
    return { current, head, faults, at: now() }
  })
  const findRecent = cacheFor(recentMs, now, () => selectRecentStatus(database, chainId))
  return createApp().openapi(getStatusRoute, async (c) => {
    const [current, recent] = await Promise.all([findCurrent(), findRecent()])
    return c.json(toStatus({ chainId, knownSolvers }, current, recent), 200, { 'Cache-Control': cachePolicies.status })
  })
}
