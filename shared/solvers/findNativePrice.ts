import type { Address } from 'viem'
import { type Network, nativeSentinel } from '../networks.ts'
import { askQuote } from './askQuote.ts'
import { SolverError } from './askSolver.ts'
import type { Solver } from './solverList.ts'

/**
 * Value of one atom of `token` in wei of the native token: what the best solver would pay for it.
 *
 * Each solver is asked to buy a fixed amount of the wrapped native token with `token`; price = bought / sold, and the
 * maximum of all answers counts. The native and the wrapped native token are worth 1 and nobody is asked.
 * @param now Unix time in milliseconds
 * @returns wei per atom; undefined when solvers answered and none of them has a route
 * @throws SolverError when no solver answered at all, so that an outage is never taken for a worthless token
 */
export const findNativePrice = async (
  { solvers, network, now }: { solvers: Solver[]; network: Network; now: () => number },
  token: Address,
  timeoutMs: number,
): Promise<number | undefined> => {
  if (token === nativeSentinel || token === network.wrappedNative) return 1
  const query = { sellToken: token, buyToken: network.wrappedNative, amount: tradedWei(network), kind: 'buy' } as const
  const answers = await Promise.allSettled(solvers.map((solver) => askQuote(solver, query, { now, timeoutMs })))
  const prices = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? [Number(answer.value.buyAmount) / Number(answer.value.sellAmount)] : [],
  )
  if (prices.length > 0) return Math.max(...prices)
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [toSolverError(answer.reason)] : []))
  if (failures.some(isRefusal)) return undefined
  throw failures[0] ?? new SolverError('Unreachable', 'no solver is configured')
}

/** How much native token a price is asked for: small against any pool, large against rounding. */
const tradedWei = (network: Network): bigint => (network.name === 'gnosis' ? 10n ** 18n : 10n ** 17n)

const refusals = new Set([
  'QuotingFailed',
  'QuoteSameTokens',
  'InsufficientLiquidity',
  'TokenTemporarilySuspended',
  'TradingOutsideAllowedWindow',
  'CustomSolverError',
])

/** Whether a solver looked and said no, as opposed to being late, unreachable or broken. */
export const isRefusal = (error: SolverError): boolean => refusals.has(error.kind)

const toSolverError = (reason: unknown): SolverError => {
  if (reason instanceof SolverError) return reason
  throw reason
}
