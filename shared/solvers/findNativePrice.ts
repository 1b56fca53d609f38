import type { Address } from 'viem'
import { type Network, nativeSentinel } from '../networks.ts'
import { askQuote } from './askQuote.ts'
import { SolverError } from './askSolver.ts'
import { collectAnswers, isRefusal } from './collectAnswers.ts'
import type { Solver } from './solverList.ts'

/** Whom to ask for prices, and when it is: `now` gives Unix time in milliseconds. */
export type NativePriceDeps = { solvers: readonly Solver[]; network: Network; now: () => number }

/**
 * Value of one atom of `token` in wei of the native token: what the best solver would pay for it.
 *
 * Each solver is asked to buy a fixed amount of the wrapped native token with `token`; price = bought / sold, and the
 * maximum of the answers counts. The native and the wrapped native token are worth 1 and nobody is asked.
 * @param enough stop waiting after this many prices; by default all solvers are waited for
 * @returns wei per atom; undefined when solvers answered and none of them has a route
 * @throws SolverError when no solver answered at all, so that an outage is never taken for a worthless token
 */
export const findNativePrice = async (
  { solvers, network, now }: NativePriceDeps,
  token: Address,
  timeoutMs: number,
  enough?: number,
): Promise<number | undefined> => {
  if (token === nativeSentinel || token === network.wrappedNative) return 1
  const query = { sellToken: token, buyToken: network.wrappedNative, amount: tradedWei(network), kind: 'buy' } as const
  const { answers, failures } = await collectAnswers(
    solvers,
    (solver) => askQuote(solver, query, { now, timeoutMs }),
    enough,
  )
  if (answers.length > 0) {
    return Math.max(...answers.map(({ buyAmount, sellAmount }) => Number(buyAmount) / Number(sellAmount)))
  }
  if (failures.some(({ error }) => isRefusal(error))) return undefined
  throw failures[0]?.error ?? new SolverError('Unreachable', 'no solver is configured')
}

/** How much native token a price is asked for: small against any pool, large against rounding. */
const tradedWei = (network: Network): bigint => (network.name === 'gnosis' ? 10n ** 18n : 10n ** 17n)
