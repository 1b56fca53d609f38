import type { Address } from 'viem'
import { logEntry } from '../logging/logEntry.ts'
import { type Network, nativeSentinel } from '../networks.ts'
import { collectResponses, isRefusal, type SolverResponses } from './collectResponses.ts'
import { type ConsensusPrice, computeConsensusPrice, contradicts, hasAgreement } from './computeConsensusPrice.ts'
import { deepUnits } from './computeNativeUnits.ts'
import type { Race } from './createSolverPace.ts'
import { type DepthPrice, requestDepthPrice } from './requestDepthPrice.ts'
import { SolverError } from './requestSolver.ts'
import type { Solver } from './solverList.ts'

/** Native prices that were confirmed before, in wei per atom. */
export type EarlierPrices = {
  recall: (token: Address) => number | undefined
  /** looks further than `recall`: needed only where two solvers contradict each other, or one is alone */
  find: (token: Address) => Promise<number | undefined>
  remember: (token: Address, price: NativePrice) => void
  /** a price of this or the last minutes, as an alternative to a request or to an unconfirmed one */
  recent?: (token: Address, maxAgeMs: number) => NativePrice | undefined
  /** age up to which `recent` replaces a request, milliseconds; `defaultSharedMs` when omitted */
  sharedMs?: number
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

export type NativePrice = Pick<ConsensusPrice, 'isConfirmed'> & {
  /** wei per atom */
  price: number
  /** whether a market that moves an ether or more has this price in both directions */
  isDeep: boolean
}

/** the outcome of each solver when none has a price that counts */
export type NativePriceResponse = NativePrice | { price: undefined; failures: SolverResponses<never>['failures'] }

/** Whether the prices received so far suffice. */
type IsEnough = (prices: readonly number[]) => boolean

/** Quotes share a confirmed price for about a block of the slowest network. */
const defaultSharedMs = 12_000
/** A pool far from the market leaves a price unconfirmed: meanwhile one of the last minutes counts. */
const steadyMs = 300_000

/**
 * Requests the value of one atom of `token` from solvers, in wei of the native token.
 *
 * Each solver quotes both directions of a trade that moves some of the wrapped native token (`requestDepthPrice`), and
 * `computeConsensusPrice` of their prices counts: prices value the scores of solutions and the fees of quotes, so
 * neither a solver nor a pool alone may raise or lower one. While some solvers do not respond, a single price that
 * contradicts the earlier one does not count: an outage must not let one solver set the price. The native and the
 * wrapped native token are worth 1, without a request.
 * @param isEnough stop waiting with these prices, the earlier one among them; by default all solvers are waited for
 * @returns wei per atom; the outcome of each solver when none has a price that counts
 */
export const requestNativePrice = async (
  deps: NativePriceDeps,
  token: Address,
  timeoutMs: number,
  isEnough?: IsEnough,
): Promise<NativePriceResponse> => {
  const { network, earlierPrices } = deps
  if (token === nativeSentinel || token === network.wrappedNative) return { price: 1, isConfirmed: true, isDeep: true }
  const recent = earlierPrices?.recent?.(token, earlierPrices.sharedMs ?? defaultSharedMs)
  return recent ?? requestPrice(deps, token, timeoutMs, isEnough)
}

const requestPrice = async (
  { solvers, network, now, startRace, earlierPrices }: NativePriceDeps,
  token: Address,
  timeoutMs: number,
  isEnough?: IsEnough,
): Promise<NativePriceResponse> => {
  const deadline = now() + timeoutMs
  const recalled = earlierPrices?.recall(token)
  const { call } = startRace?.() ?? { call: callPatiently }
  const { responses, failures } = await collectResponses<DepthPrice>(
    solvers,
    (solver) =>
      call(solver.name, (signal) =>
        requestDepthPrice(solver, network, token, () => ({ now, timeoutMs: Math.max(1, deadline - now()), signal })),
      ),
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
  const { price, outliers, ...consensus } = computeConsensusPrice(responses, earlier)
  if (price === undefined) return { price, failures }
  for (const outlier of outliers) logEntry({ message: 'native price dropped', token, ...outlier, counted: price })
  // two solvers must have found the depth: one alone could invent it
  const depths = responses.map(({ depth }) => depth).toSorted((a, b) => b - a)
  const depth = depths[1] ?? depths[0] ?? 0
  const isConfirmed = consensus.isConfirmed && depth > 0
  const found = { price, isConfirmed, isDeep: isConfirmed && depth >= deepUnits }
  if (isConfirmed) earlierPrices?.remember(token, found)
  return isConfirmed ? found : (earlierPrices?.recent?.(token, steadyMs) ?? found)
}

const callPatiently: Race['call'] = (_solver, request) => request(new AbortController().signal)
