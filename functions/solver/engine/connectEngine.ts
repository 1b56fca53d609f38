import type { Address } from 'viem'
import { z } from 'zod'
import type { SolutionId } from '#shared/solvers/driverApi.ts'
import { parseEngineJson } from '#shared/solvers/parseDriverJson.ts'
import { requestSolver } from '#shared/solvers/requestSolver.ts'
import { connectSolvers, type Solver } from '#shared/solvers/solverList.ts'
import { toDriverJson } from '#shared/solvers/toDriverJson.ts'
import { type EngineAuctionBody, type EngineNotice, type EngineResponse, engineResponseSchema } from './engineApi.ts'

const noticeTimeoutMs = 1_000

export type Engine = {
  /** @throws SolverError when there is no usable response */
  solve: (auction: EngineAuctionBody, timeoutMs: number) => Promise<EngineResponse>
  /**
   * Best effort: failures are ignored.
   * @param solutionId the engine's own id; null without a solution
   */
  notify: (auctionId: string | null, solutionId: SolutionId | null, notice: EngineNotice) => Promise<void>
}

export const connectEngine = (name: string, address: Address, url: string): Engine => {
  const [solver] = connectSolvers([{ name, address, url }], {}) as [Solver]
  return {
    solve: (auction, timeoutMs) =>
      requestSolver(
        solver,
        { method: 'POST', path: '/solve', body: auction, parse: parseEngineJson, timeoutMs },
        engineResponseSchema,
      ),
    notify: async (auctionId, solutionId, notice) => {
      const json = toDriverJson({ auctionId, solutionId, ...notice })
      const call = { method: 'POST', path: '/notify', json, parse: () => null, timeoutMs: noticeTimeoutMs } as const
      await requestSolver(solver, call, z.unknown()).catch(() => undefined)
    },
  }
}
