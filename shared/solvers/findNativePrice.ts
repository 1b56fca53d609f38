import type { Address } from 'viem'
import { logEntry } from '../logging/logEntry.ts'
import { type Network, nativeSentinel } from '../networks.ts'
import { collectResponses, isRefusal, type SolverResponses } from './collectResponses.ts'
import {
  type ConsensusPrice,
  computeConsensusPrice,
  contradicts,
  hasAgreement,
  type SolverPrice,
} from './computeConsensusPrice.ts'
import type { Race } from './createSolverPace.ts'
import { requestQuote } from './requestQuote.ts'
import { SolverError } from './requestSolver.ts'
import type { Solver } from './solverList.ts'

/** Native prices that were confirmed before, in wei per atom. */
export type EarlierPrices = {
  recall: (token: Address) => number | undefined
  /** looks further than `recall`: needed only where two solvers contradict each other, or one is alone */
  find: (token: Address) => Promise<number | undefined>
  remember: (token: Address, price: number) => void
}

export type NativePriceDeps = {
  solvers: readonly Solver[]
  network: Network
  /** Unix milliseconds */
  now: () => number
  /** see `SolverPace`; without one every solver has its whole time */
  startRace?: (() => Race) | undefined
  earlierPrices?: EarlierPrices | undefined
}

export type NativePrice = Pick<ConsensusPrice, 'isConfirmed'> & { price: number }

/**
 * Requests the value of one atom of `token` from solvers, in wei of the native token.
 *
 * Each solver quotes the purchase of a fixed amount of the wrapped native token with `token`; price = bought / sold,
 * and `computeConsensusPrice` of them counts: prices value the scores of solutions and the fees of quotes, so no solver alone may
 * raise or lower one. While some solvers do not respond, a single price that contradicts the earlier one does not count: an
 * outage must not let one solver set the price. The native and the wrapped native token are worth 1, without a request.
 * @param isEnough stop waiting with these prices, the earlier one among them; by default all solvers are waited for
 * @returns wei per atom; the outcome of each solver when none has a price that counts
 */
export const requestNativePrice = async (
  { solvers, network, now, startRace, earlierPrices }: NativePriceDeps,
  token: Address,
  timeoutMs: number,
  isEnough?: (prices: readonly number[]) => boolean,
): Promise<NativePrice | { price: undefined; failures: SolverResponses<never>['failures'] }> => {
  if (token === nativeSentinel || token === network.wrappedNative) return { price: 1, isConfirmed: true }
  const query = { sellToken: token, buyToken: network.wrappedNative, amount: tradedWei(network), kind: 'buy' } as const
  const recalled = earlierPrices?.recall(token)
  const { call } = startRace?.() ?? { call: callPatiently }
  const { responses, failures } = await collectResponses<SolverPrice>(
    solvers,
    async (solver) => {
      const quote = await call(solver.name, (signal) => requestQuote(solver, query, { now, timeoutMs, signal }))
      return { solver: solver.name, price: Number(quote.buyAmount) / Number(quote.sellAmount) }
    },
    isEnough && ((prices) => isEnough([...prices.map(({ price }) => price), ...(recalled ? [recalled] : [])])),
  )
  const [first, ...others] = responses
  const silent = failures.filter(({ error }) => !isRefusal(error))
  const isAlone = others.length === 0 && silent.length > 0
  const isContradiction = others.length === 1 && !hasAgreement(responses.map(({ price }) => price))
  const earlier = recalled ?? (isAlone || isContradiction ? await earlierPrices?.find(token) : undefined)
  if (first && isAlone && earlier !== undefined && contradicts(first.price, earlier)) {
    logEntry({ message: 'native price dropped', token, ...first, earlier })
    const error = new SolverError('Implausible', 'the price contradicts the earlier one')
    return { price: undefined, failures: [...silent, { solver: first.solver, error }] }
  }
  const { price, isConfirmed, outliers } = computeConsensusPrice(responses, earlier)
  if (price === undefined) return { price, failures }
  for (const outlier of outliers) logEntry({ message: 'native price dropped', token, ...outlier, counted: price })
  if (isConfirmed) earlierPrices?.remember(token, price)
  return { price, isConfirmed }
}

const callPatiently: Race['call'] = (_solver, request) => request(new AbortController().signal)

/**
 * Value of one atom of `token` in wei of the native token, as `requestNativePrice`.
 * @returns undefined when solvers responded and none of them has a route
 * @throws SolverError when no price counts and no solver refused, so that an outage is never taken for a worthless token
 */
export const findNativePrice = async (
  deps: NativePriceDeps,
  token: Address,
  timeoutMs: number,
  isEnough?: (prices: readonly number[]) => boolean,
): Promise<NativePrice | undefined> => {
  const response = await requestNativePrice(deps, token, timeoutMs, isEnough)
  if (response.price !== undefined) return response
  if (response.failures.some(({ error }) => isRefusal(error))) return undefined
  throw response.failures[0]?.error ?? new SolverError('Unreachable', 'no solver is configured')
}

/** Native token amount of a price request: small against any pool, large against rounding. */
const tradedWei = (network: Network): bigint => (network.name === 'gnosis' ? 10n ** 18n : 10n ** 17n)
