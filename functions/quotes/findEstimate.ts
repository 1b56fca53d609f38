import { type Network, nativeSentinel } from '#shared/networks.ts'
import { askQuote, type QuoteQuery, type SolverQuote } from '#shared/solvers/askQuote.ts'
import { SolverError } from '#shared/solvers/askSolver.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import type { PreparedRequest } from './prepareRequest.ts'
import type { Verification } from './verifyEstimate.ts'

/** What one solver offers. `gas` is measured when a simulation confirmed the offer, else what the solver says. */
export type Estimate = SolverQuote & { gas: bigint; verification: Verification }

/** Finds out whether an offer holds; never rejects. */
export type Verify = (quote: SolverQuote) => Promise<Verification>

export type FindEstimateDeps = { network: Network; now: () => number; verify: Verify }

/** Gas of turning bought wrapped native tokens into native ones. */
const unwrapGas = 9_223n

/**
 * Asks one solver and verifies its offer. Native tokens are bought wrapped and unwrapped in the settlement.
 * @throws SolverError whatever goes wrong; `Garbage` too when nobody knows the gas of an offer
 */
export const findEstimate = async (
  { network, now, verify }: FindEstimateDeps,
  solver: Solver,
  { request: { sellToken, buyToken, kind, size } }: PreparedRequest,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<Estimate> => {
  const unwraps = buyToken === nativeSentinel
  const query: QuoteQuery = {
    sellToken,
    buyToken: unwraps ? network.wrappedNative : buyToken,
    kind,
    amount: size.amount,
  }
  const quote = await askQuote(solver, query, { now, ...limits })
  const verification = await verify(quote)
  if (verification.status === 'passed') return { ...quote, gas: verification.gasUsed, verification }
  if (quote.gas === undefined) throw new SolverError('Garbage', 'no gas, so its cost is unknown')
  return { ...quote, gas: unwraps ? quote.gas + unwrapGas : quote.gas, verification }
}
