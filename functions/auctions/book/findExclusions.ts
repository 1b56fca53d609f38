import type { Address, Hex } from 'viem'
import type { AvailableBalance } from '#schema/queries/auctions/availableBalances.ts'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import { computeRequiredFeatures } from '#shared/orders/verdict/requiredFeatures.ts'
import type { Pauses } from '#shared/pauses/pauses.ts'
import type { SolverFeature } from '#shared/solvers/solverList.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import type { BookDeps } from './bookDeps.ts'
import { computeAvailable } from './computeAvailable.ts'
import { computePreInteractions } from './computePreInteractions.ts'
import { findShared } from './computeSpendable.ts'
import type { FirstWaits } from './createFirstWaits.ts'
import {
  computeBalanceExclusion,
  computeFailureExclusion,
  computePriceExclusion,
  computeSignatureExclusion,
  computeStaticExclusion,
  type Exclusion,
  isBalanceExempt,
  isDoubtful,
} from './exclude.ts'
import { findOffers, type OfferCache } from './findOffers.ts'
import { findPrices } from './findPrices.ts'
import { findRefusedSignatures, type SignatureCache } from './findRefusedSignatures.ts'
import type { BalanceCache, HeldFunds } from './funds/balanceCache.ts'
import { findBalances } from './funds/findBalances.ts'
import { findHookFunds, type HookFundsCache } from './funds/findHookFunds.ts'
import { type Holding, toHoldingKey } from './funds/toHoldingKey.ts'
import type { PriceCache } from './requestPrices.ts'

/** Facts cached between cuts; losing them costs requests only. */
export type ExclusionMemory = {
  balances: BalanceCache
  hookFunds: HookFundsCache
  prices: PriceCache
  offers: OfferCache
  firstWaits: FirstWaits
  signatures: SignatureCache
}

/**
 * Finds the orders excluded from the auction of a block, the prices of the others, and changed funds of owners. The
 * first reason counts. Cheap checks come first, and only remaining orders need look-ups.
 */
export const findExclusions = async (
  deps: BookDeps & { pauses: Pauses },
  memory: ExclusionMemory,
  block: IndexedBlock,
  candidates: readonly Candidate[],
): Promise<{
  exclusions: Map<Candidate, Exclusion>
  /** new orders far from the market: they wait for an offer until the next cut */
  undecided: ReadonlySet<Candidate>
  prices: ReadonlyMap<Address, bigint>
  /** funds of orders without hooks, by `toHoldingKey` */
  funds: ReadonlyMap<string, HeldFunds>
  /** funds of orders with hooks, by UID */
  hookFunds: ReadonlyMap<Hex, HeldFunds>
  availableBalances: AvailableBalance[]
  /** capabilities that orders need from drivers */
  required: Map<Hex, readonly SolverFeature[]>
}> => {
  const { wrappedNative } = deps.network
  const exclusions = new Map<Candidate, Exclusion>()
  const exclude = (compute: (candidate: Candidate) => Exclusion | undefined): Candidate[] => {
    for (const candidate of candidates) {
      const exclusion = exclusions.has(candidate) ? undefined : compute(candidate)
      if (exclusion) exclusions.set(candidate, exclusion)
    }
    return candidates.filter((candidate) => !exclusions.has(candidate))
  }
  const now = toUnixSeconds(deps.now())
  exclude((candidate) => computeStaticExclusion(candidate, deps, now))
  const standing = exclude((candidate) => computeFailureExclusion(candidate, block.number))
  const refused = await findRefusedSignatures(deps, memory.signatures, block, standing)
  const permitted = exclude((candidate) => computeSignatureExclusion(candidate, refused))
  const isPaying = (candidate: Candidate) =>
    candidate.order.partiallyFillable || !isBalanceExempt(candidate, deps.network)
  const paying = permitted.filter(isPaying)
  const hasHooks = ({ order }: Candidate) => computePreInteractions(order).length > 0
  const hooked = paying.filter(hasHooks)
  const plain = paying.filter((candidate) => !hasHooks(candidate))
  // an exempt order is listed without its funds, but winners together spend what it shares with other orders once
  const shared = findShared(candidates)
  const sharing = permitted.filter((each) => shared.has(each) && !isPaying(each) && !hasHooks(each))
  const unjudged = plain.filter(({ newestLabel }) => newestLabel === 'created')
  const balances = await findBalances(
    deps,
    memory.balances,
    block,
    [...plain, ...sharing].map(toHolding),
    unjudged.map(toHolding),
  )
  const hookFunds = await findHookFunds(deps, memory.hookFunds, block, hooked)
  const availableBalances = computeAvailable(paying, balances, hookFunds, block.number)
  const payable = exclude((candidate) => computeBalanceExclusion(candidate, deps.network, balances, hookFunds))
  const prices = await findPrices(deps, memory.prices, memory.firstWaits, [wrappedNative, ...rankTokens(payable)])
  const doubtful = payable.filter((candidate) => isDoubtful(candidate, prices, deps.outOfMarketBps))
  const { offers, pending } = await findOffers(deps, memory.offers, memory.firstWaits, doubtful)
  exclude((candidate) => computePriceExclusion(candidate, prices, deps.outOfMarketBps, offers))
  const undecided = new Set(doubtful.filter(({ order, entered }) => !entered && pending.has(order.uid)))
  const required = new Map<Hex, readonly SolverFeature[]>()
  for (const candidate of payable) {
    if (!candidate.funding && candidate.order.feeAmount === 0n) continue
    const { uid } = candidate.order
    const funds = hookFunds.get(uid) ?? balances.get(toHoldingKey(toHolding(candidate)))
    const features = computeRequiredFeatures(candidate.order, candidate.funding, funds?.balance)
    if (features.length > 0) required.set(uid, features)
  }
  return { exclusions, undecided, prices, funds: balances, hookFunds, availableBalances, required }
}

/** Tokens by number of orders, most first, so that a few orders cannot delay commonly traded tokens. */
const rankTokens = (candidates: readonly Candidate[]): Address[] => {
  const uses = new Map<Address, number>()
  for (const { order } of candidates)
    for (const token of [order.sellToken, order.buyToken]) uses.set(token, (uses.get(token) ?? 0) + 1)
  return [...uses].toSorted(([, a], [, b]) => b - a).map(([token]) => token)
}

const toHolding = ({ order }: Candidate): Holding => ({ owner: order.owner, token: order.sellToken })
