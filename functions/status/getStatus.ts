import { createRoute } from '@hono/zod-openapi'
import type { CurrentStatus, RecentStatus } from '#schema/queries/networkStatus.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { keepFor } from '#shared/keepFor.ts'
import { networkStatusSchema } from '#shared/status/networkStatusSchema.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import { type Head, type KnownSolver, type SolverFaults, toStatus } from './toStatus.ts'

export type StatusDeps = {
  chainId: number
  /** those that compete on this network */
  knownSolvers: readonly KnownSolver[]
  /** Unix milliseconds */
  now: () => number
  selectCurrentStatus: () => Promise<CurrentStatus>
  selectRecentStatus: () => Promise<RecentStatus>
  /** the newest block of the node */
  findHead: () => Promise<Head>
  /** why solvers of this deployment cannot settle, by address */
  findSolverFaults: () => Promise<SolverFaults>
}

const currentMs = 5_000
const recentMs = 60_000
const headTimeoutMs = 2_000

const getStatusRoute = createRoute({
  method: 'get',
  path: '/status.json',
  operationId: 'getNetworkStatus',
  tags: ['Service'],
  summary: 'How a network is doing',
  description:
    'Latencies, auctions, the indexer, notifications and solvers, at most five seconds old; the last 24 hours, at most a minute. docs/operations.md says what to make of them.',
  responses: {
    200: { description: 'the status', content: { 'application/json': { schema: networkStatusSchema } } },
    ...errorResponses('RateLimited', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/status.json`: public, and cheap for whoever asks often. A node that fails is part of the answer. */
export const getStatus = ({ chainId, knownSolvers, now, ...deps }: StatusDeps) => {
  const findCurrent = keepFor(currentMs, now, async () => {
    const findHead = withDeadline(deps.findHead(), headTimeoutMs).catch(() => undefined)
    const [current, head, faults] = await Promise.all([deps.selectCurrentStatus(), findHead, deps.findSolverFaults()])
    return { current, head, faults, at: now() }
  })
  const findRecent = keepFor(recentMs, now, deps.selectRecentStatus)
  return createApp().openapi(getStatusRoute, async (c) => {
    const [current, recent] = await Promise.all([findCurrent(), findRecent()])
    return c.json(toStatus({ chainId, knownSolvers }, current, recent), 200, { 'Cache-Control': cachePolicies.status })
  })
}
