import { type Network, nativeSentinel } from '#shared/networks.ts'
import type { Race } from '#shared/solvers/createSolverPace.ts'
import { type QuoteQuery, requestQuote, type SolverQuote } from '#shared/solvers/requestQuote.ts'
import { SolverError } from '#shared/solvers/requestSolver.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { RefutedError } from '../verification/RefutedError.ts'
import type { EstimateConfirmation, Verification } from '../verification/verifyEstimate.ts'
import { computeEstimateGas } from './computeEstimateGas.ts'
import { toDelivered } from './toDelivered.ts'

/** An offer of one solver that no simulation refuted, as it is delivered (`toDelivered`). `gas` includes the hooks (`computeEstimateGas`). */
export type Estimate = SolverQuote & { gas: bigint; verification: EstimateConfirmation }

/** Verifies an offer by simulation; never rejects. */
export type Verify = (quote: SolverQuote) => Promise<Verification>

export type FindEstimateDeps = {
  network: Network
  now: () => number
  verify: Verify
  /** ends the wait for slow solvers; without it every solver may use its whole time */
  race?: Race | undefined
  /**
   * whether offers decide what can be settled: they are without their tolerance, because a solver settles an order without
   * slack up to the exact amounts, and with the gas that the solver charges
   */
  judgesLimits?: boolean | undefined
}

/** Gas of unwrapping bought native tokens. */
const unwrapGas = 9_223n

/**
 * Requests an offer from one solver and verifies it. Native tokens are bought wrapped and unwrapped in the settlement.
 * @throws SolverError on any failure; `RefutedError` when a simulation refutes the offer; `Garbage` also when the gas
 *   of an offer is unknown
 */
export const findEstimate = async (
  { network, now, verify, race, judgesLimits }: FindEstimateDeps,
  solver: Solver,
  { request: { sellToken, buyToken, kind, size }, appData: { hookGas } }: PreparedRequest,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<Estimate> => {
  const unwraps = buyToken === nativeSentinel
  const query: QuoteQuery = {
    sellToken,
    buyToken: unwraps ? network.wrappedNative : buyToken,
    kind,
    amount: size.amount,
  }
  const request = (signal: AbortSignal) => requestQuote(solver, query, { now, ...limits, signal })
  const { tolerancePpm, ...quote } = race
    ? await race.call(solver.name, (late) => request(AbortSignal.any([limits.signal, late])))
    : await request(limits.signal)
  const verification = await verify(quote)
  if (verification.status === 'failed') throw new RefutedError(verification)
  const saidGas = quote.gas === undefined ? undefined : quote.gas + (unwraps ? unwrapGas : 0n)
  // a solver that states its gas charges that and no more
  const gas =
    judgesLimits && saidGas !== undefined ? saidGas + hookGas : computeEstimateGas(saidGas, hookGas, verification)
  if (gas === undefined) throw new SolverError('Garbage', 'no gas, so its cost is unknown')
  return { ...(judgesLimits ? quote : toDelivered(kind, quote, tolerancePpm)), gas, verification }
}
