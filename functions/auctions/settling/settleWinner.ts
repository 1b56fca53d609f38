import { z } from 'zod'
import { closeFailedAttempt } from '#schema/queries/settlements/settlementAttempts.ts'
import type { Blame } from '#schema/tables/settlements/settlementAttempts.ts'
import type { SettleRequestBody } from '#shared/solvers/driverApi.ts'
import { requestSolver, SolverError, toPublicKind } from '#shared/solvers/requestSolver.ts'
import { toDriverJson } from '#shared/solvers/toDriverJson.ts'
import type { Attempt } from '../competition/recordAuction.ts'
import { auctionHeader } from '../solvers/connectThroughObjects.ts'
import type { FailedAttempt } from './findBlame.ts'
import type { SettlingDeps } from './settlingDeps.ts'

export type SettleDeps = Pick<SettlingDeps, 'network' | 'database' | 'chain' | 'solvers' | 'log'> & {
  /** see `findBlame` */
  findBlame: (attempt: FailedAttempt) => Promise<Blame>
}

/** Long, because a solver responds once its transaction is mined. */
const timeoutMs = 60_000

/** Failures after which the solver may still have sent its transaction. */
const unknownOutcomes = new Set(['Timeout', 'Unreachable', 'Garbage'])

/**
 * Requests the settlement from a winner and waits for the response. Only a failure reported by the solver ends the
 * attempt: without a response the transaction may still be mined, so the order stays in flight until the deadline
 * block. A settlement on-chain always takes precedence.
 * @param onFailure called when the solver reports a failure, before the orders return to the auctions
 */
export const settleWinner = async (
  deps: SettleDeps,
  attempt: Attempt,
  onFailure: () => void = () => undefined,
): Promise<void> => {
  const { auctionId, solutionUid, solutionId, deadlineBlock } = attempt
  const solver = deps.solvers.find(({ address }) => address === attempt.solver)
  if (!solver) throw new Error(`solver ${attempt.solver} is not configured`)
  const body: SettleRequestBody = {
    solutionId,
    submissionDeadlineLatestBlock: deadlineBlock,
    auctionId: auctionId.toString(),
  }
  const headers = { [auctionHeader]: body.auctionId }
  try {
    await requestSolver(
      solver,
      { method: 'POST', path: '/settle', json: toDriverJson(body), headers, timeoutMs },
      z.unknown(),
    )
  } catch (error) {
    if (!(error instanceof SolverError)) throw error
    const { kind, message: cause } = error
    deps.log({ message: 'settle failed', auction: auctionId, solver: solver.name, kind, cause })
    if (unknownOutcomes.has(kind)) return
    onFailure()
    const block = Number(await deps.chain.getBlockNumber())
    const key = { chainId: deps.network.chainId, auctionId, solutionUid }
    const blame = await deps
      .findBlame({ ...attempt, endBlock: block, undoneFrom: null })
      // attributed later
      .catch(() => null)
    // everyone may read it; the driver's own words are in the log
    await closeFailedAttempt(deps.database, key, { cause: toPublicKind(error), block, blame })
  }
}
