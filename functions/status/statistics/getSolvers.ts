import { createRoute, z } from '@hono/zod-openapi'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { selectSolverStatistics } from '#schema/queries/explorer/solverStatistics.ts'
import { selectSuspensions } from '#schema/queries/status/selectSuspensions.ts'
import { suspensionSchema } from '#shared/alarms/networkStatusSchema.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cacheFor } from '#shared/cacheFor.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import type { StatusSolver } from '../toSolverStatuses.ts'
import { statisticsMs } from './getStatistics.ts'

export type SolversDeps = NetworkDatabase & {
  /** configured solvers of this network */
  knownSolvers: readonly StatusSolver[]
  /** Unix milliseconds */
  now: () => number
}

const count = z.number().int().nonnegative()

const totalsSchema = z
  .object({
    auctions: count.openapi({ description: 'auctions with a valid solution of it' }),
    wins: count.openapi({ description: 'winning solutions' }),
    settled: count.openapi({ description: 'wins settled as promised' }),
    reverted: count.openapi({ description: 'wins that it reported as failed' }),
    timedOut: count.openapi({ description: 'wins not settled by their deadline' }),
    mismatched: count.openapi({ description: 'wins settled for less than promised' }),
    running: count.openapi({ description: 'wins that are not decided yet' }),
    surplus: z.string().openapi({ description: 'gain of its trades over their limit prices, wei' }),
  })
  .openapi('SolverTotals')

const solverSchema = z
  .object({
    address: addressSchema,
    name: z.string().nullable().openapi({ description: 'null for a solver that no longer competes' }),
    suspension: suspensionSchema.nullable().openapi({ description: 'null without restrictions' }),
    day: totalsSchema,
    week: totalsSchema,
  })
  .openapi('SolverStatistics')

const getSolversRoute = createRoute({
  ...endpoint('getSolvers'),
  tags: ['Auctions'],
  summary: 'Results of solvers',
  description:
    'Results of the last 24 hours and the last seven days, most surplus of the week first, and current suspensions; at most ' +
    'a minute old. Configured solvers without results come last.',
  responses: {
    200: { description: 'the solvers', content: { 'application/json': { schema: z.array(solverSchema) } } },
    ...errorResponses('InternalServerError', 'ServiceUnavailable'),
  },
})

const nothing = {
  ...{ auctions: 0, wins: 0, settled: 0, reverted: 0, timedOut: 0, mismatched: 0, running: 0 },
  surplus: '0',
}

/** `GET /{network}/api/v1/explorer/solvers`: computed at most once a minute per isolate. */
export const getSolvers = ({ database, chainId, knownSolvers, now }: SolversDeps) => {
  const findSolvers = cacheFor(statisticsMs, now, async () => {
    const [active, suspensions] = await Promise.all([
      selectSolverStatistics(database, chainId),
      selectSuspensions(database, chainId),
    ])
    const addresses = new Set(active.map(({ address }) => address))
    const idle = knownSolvers.filter(({ address }) => !addresses.has(address))
    return [...active, ...idle.map(({ address }) => ({ address, day: nothing, week: nothing }))].map((solver) => {
      const { address: _, ...suspension } = suspensions.find(({ address }) => address === solver.address) ?? {}
      return {
        ...solver,
        name: knownSolvers.find(({ address }) => address === solver.address)?.name ?? null,
        suspension: 'until' in suspension ? suspension : null,
      }
    })
  })
  return createApp().openapi(getSolversRoute, async (c) =>
    c.json(await findSolvers(), 200, { 'Cache-Control': cachePolicies.statistics }),
  )
}
