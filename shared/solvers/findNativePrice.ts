import type { Address } from 'viem'
import { type Network, nativeSentinel } from '../networks.ts'
import { askQuote } from './askQuote.ts'
import { SolverError } from './askSolver.ts'
import { type Answers, collectAnswers, isRefusal } from './collectAnswers.ts'
import type { Solver } from './solverList.ts'

/** Whom to ask for prices, and when it is: `now` gives Unix time in milliseconds. */
export type NativePriceDeps = { solvers: readonly Solver[]; network: Network; now: () => number }

/**
 * Asks solvers what one atom of `token` is worth in wei of the native token.
 *
 * Each solver is asked to buy a fixed amount of the wrapped native token with `token`; price = bought / sold, and the
 * second best answer counts, or the only one: prices value the scores of solutions, so no solver alone may raise one.
 * The native and the wrapped native token are worth 1 and nobody is asked.
 * @param enough stop waiting after this many prices; by default all solvers are waited for
 * @returns wei per atom; what came of each solver when none has a price
 */
export const askNativePrice = async (
  { solvers, network, now }: NativePriceDeps,
  token: Address,
  timeoutMs: number,
  enough?: number,
): Promise<{ price: number } | { price: undefined; failures: Answers<never>['failures'] }> => {
  if (token === nativeSentinel || token === network.wrappedNative) return { price: 1 }
  const query = { sellToken: token, buyToken: network.wrappedNative, amount: tradedWei(network), kind: 'buy' } as const
  const { answers, failures } = await collectAnswers(
    solvers,
    (solver) => askQuote(solver, query, { now, timeoutMs }),
    enough,
  )
  const prices = answers
    .map(({ buyAmount, sellAmount }) => Number(buyAmount) / Number(sellAmount))
    .sort((a, b) => b - a)
  const price = prices[1] ?? prices[0]
  return price === undefined ? { price, failures } : { price }
}

/**
 * Value of one atom of `token` in wei of the native token, as `askNativePrice`.
 * @returns wei per atom; undefined when solvers answered and none of them has a route
 * @throws SolverError when no solver answered at all, so that an outage is never taken for a worthless token
 */
export const findNativePrice = async (
  deps: NativePriceDeps,
  token: Address,
  timeoutMs: number,
  enough?: number,
): Promise<number | undefined> => {
  const answer = await askNativePrice(deps, token, timeoutMs, enough)
  if (answer.price !== undefined || answer.failures.some(({ error }) => isRefusal(error))) return answer.price
  throw answer.failures[0]?.error ?? new SolverError('Unreachable', 'no solver is configured')
}

/** How much native token a price is asked for: small against any pool, large against rounding. */
const tradedWei = (network: Network): bigint => (network.name === 'gnosis' ? 10n ** 18n : 10n ** 17n)
