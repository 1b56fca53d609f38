import type { Address } from 'viem'
import { logEntry } from '../logging/logEntry.ts'
import { type Network, nativeSentinel } from '../networks.ts'
import type { OrderKind } from '../signing/order.ts'
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

export type NativePrice = Pick<ConsensusPrice, 'isConfirmed'> & {
  /** wei per atom */
  price: number
  /** whether a market that moves an ether or more has this price in both directions */
  isDeep: boolean
}

/**
 * Requests the value of one atom of `token` from solvers, in wei of the native token.
 *
 * Each solver quotes both directions of a trade that moves some of the wrapped native token (`requestDepthPrice`), and
 * `computeConsensusPrice` of their prices counts: prices value the scores of solutions and the fees of quotes, so neither a
 * solver nor a pool alone may raise or lower one. While some solvers do not respond, a single price that contradicts the
 * earlier one does not count: an outage must not let one solver set the price. The native and the wrapped native token are
 * worth 1, without a request.
 * @param isEnough stop waiting with these prices, the earlier one among them; by default all solvers are waited for
 * @returns wei per atom; the outcome of each solver when none has a price that counts
 */
export const requestNativePrice = async (
  { solvers, network, now, startRace, earlierPrices }: NativePriceDeps,
  token: Address,
  timeoutMs: number,
  isEnough?: (prices: readonly number[]) => boolean,
): Promise<NativePrice | { price: undefined; failures: SolverResponses<never>['failures'] }> => {
  if (token === nativeSentinel || token === network.wrappedNative) return { price: 1, isConfirmed: true, isDeep: true }
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
  if (isConfirmed) earlierPrices?.remember(token, price)
  return { price, isConfirmed, isDeep: isConfirmed && depth >= deepUnits }
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

/** A solver's price of a token; `depth`: ethers that move at this price in both directions, 0: unknown. */
type DepthPrice = SolverPrice & { depth: number }

/** Ethers, or native tokens worth as much, that a price request moves, largest first. */
const smallestUnits = 0.1
const tradedUnits = [3, 1, smallestUnits]
/** A market that moves fewer ethers is too cheap to make: its price values trades of solvers, but no rewards. */
const deepUnits = 1
/** Both directions of a market differ by fees and depth, up to this factor. */
const spreadFactor = 1.25
/** Blocks between two quotes may let a market look crossed, up to this factor. */
const crossedFactor = 1.02

/**
 * One solver's price, from the largest traded amount at which both directions agree:
 *     bid = native / sold tokens      ask = native / bought tokens      price = min(bid, ask)
 * A bid above the ask is an arbitrage: one of the pools is not at the market, so that amount says nothing. A thin pool beside
 * the market wins only small amounts, which are the last resort: there the lower price counts, with depth 0 when the
 * directions disagree or one is missing, so that tokens with little liquidity can be traded.
 * @throws SolverError as `requestQuote`, of the sale of the token in the smallest amount
 */
const requestDepthPrice = async (
  solver: Solver,
  network: Network,
  token: Address,
  limits: () => Parameters<typeof requestQuote>[2],
): Promise<DepthPrice> => {
  const { wrappedNative } = network
  const request = (sellToken: Address, buyToken: Address, kind: OrderKind, amount: bigint) =>
    requestQuote(solver, { sellToken, buyToken, amount, kind }, limits())
  for (const depth of tradedUnits) {
    const amount = toWei(network, depth)
    const [sale, purchase] = await Promise.allSettled([
      request(token, wrappedNative, 'buy', amount),
      request(wrappedNative, token, 'sell', amount),
    ])
    const bid = sale.status === 'fulfilled' ? Number(amount) / Number(sale.value.sellAmount) : undefined
    const ask = purchase.status === 'fulfilled' ? Number(amount) / Number(purchase.value.buyAmount) : undefined
    const agree = bid !== undefined && ask !== undefined && ask <= bid * spreadFactor && bid <= ask * crossedFactor
    if (agree) return { solver: solver.name, price: Math.min(bid, ask), depth }
    if (depth === smallestUnits && bid !== undefined)
      return { solver: solver.name, price: Math.min(bid, ask ?? bid), depth: 0 }
    const failures = [sale, purchase].flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    const broken = failures.find((error) => !(error instanceof SolverError && isRefusal(error)))
    if (broken) throw broken
    // no route at all: one more request shows whether the smallest amount has one
    if (failures.length === 2) break
  }
  const amount = toWei(network, smallestUnits)
  const { sellAmount } = await request(token, wrappedNative, 'buy', amount)
  return { solver: solver.name, price: Number(amount) / Number(sellAmount), depth: 0 }
}

/** Native tokens that are worth about an ether, where the native token is not one; sizes of a trade, not prices. */
const perEther: Partial<Record<string, bigint>> = {
  avalanche: 100n,
  bnb: 4n,
  gnosis: 1_000n,
  plasma: 1_000n,
  polygon: 1_000n,
}

const toWei = ({ name }: Network, units: number): bigint => BigInt(units * 10) * 10n ** 17n * (perEther[name] ?? 1n)
