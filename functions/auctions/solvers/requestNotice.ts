import { z } from 'zod'
import type { NotifyRequest } from '#shared/solvers/driverApi.ts'
import { requestSolver } from '#shared/solvers/requestSolver.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import { toDriverJson } from '#shared/solvers/toDriverJson.ts'

const timeoutMs = 1_000
const maxReasonLength = 500

/**
 * `POST /notify` of a driver: notifies a solver of a rejected or lost solution, or a suspension. Best effort: failures are
 * ignored.
 */
export const requestNotice = async (solver: Solver, notice: NotifyRequest): Promise<void> => {
  const json = toDriverJson({ ...notice, reason: notice.reason.slice(0, maxReasonLength) })
  const headers = { 'X-Request-Id': notice.auctionId }
  await requestSolver(solver, { method: 'POST', path: '/notify', json, headers, timeoutMs }, z.unknown()).catch(
    () => undefined,
  )
}
