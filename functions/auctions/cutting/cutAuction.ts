import type { Address, Hex } from 'viem'
import { insertAuction, type ListedOrder, nextAuctionId } from '#schema/queries/auctions/auctions.ts'
import { updateAvailableBalances } from '#schema/queries/auctions/availableBalances.ts'
import { type Candidate, selectCandidates } from '#schema/queries/auctions/solvableOrders.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import { computeFeePolicies } from '#shared/fees/computeFeePolicies.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import { computeExecuted } from '#shared/orders/computeRemaining.ts'
import type { SolverFeature } from '#shared/solvers/solverList.ts'
import type { ClockDeps } from '../clockDeps.ts'
import type { ClockState } from '../clockState.ts'
import { isSettledAlone } from './computeExclusion.ts'
import { computeListing } from './computeListing.ts'
import { computeTransitions } from './computeTransitions.ts'
import { type ExclusionDeps, type ExclusionState, findExclusions } from './findExclusions.ts'
import { toAuctionOrder } from './toAuctionOrder.ts'
import { toQuotedAmounts } from './toQuotedAmounts.ts'

export type CutDeps = ExclusionDeps & Pick<ClockDeps, 'database' | 'minValiditySeconds' | 'feeRules'>

/** What a cut remembers for the next one. */
type CutState = ExclusionState & Pick<ClockState, 'candidates' | 'listed'>

/** The orders and prices that solvers compete on, fixed at a block. */
export type Auction = {
  id: number
  block: number
  orders: ReadonlyMap<Hex, Candidate['order']>
  /** what orders were placed with, atoms */
  quotes: ReadonlyMap<Hex, NonNullable<Candidate['quote']>>
  /** wei per 10¹⁸ atoms */
  prices: ReadonlyMap<Address, bigint>
  /** what each order pays, in the order of application */
  feePolicies: ReadonlyMap<Hex, readonly FeePolicy[]>
  /** orders that no solution may settle together with another one, and how often their settlement has failed */
  alone: ReadonlyMap<Hex, number>
  /** what drivers must support, for orders that need something: wrappers, or a flash loan */
  required: ReadonlyMap<Hex, readonly SolverFeature[]>
  body: { orders: readonly ListedOrder[]; prices: Record<string, string> }
  /** equal for auctions that a solver could not tell apart, prices aside */
  content: string
}

/**
 * Cuts the auction of a block: every open order that could settle now, with the prices that value it. What changed for an
 * order since the auction before (entered, left, and why) is logged with it in one transaction.
 * @param skip contents that need no auction
 * @returns undefined when there is nothing to solve
 */
export const cutAuction = async (
  deps: CutDeps,
  state: CutState,
  block: IndexedBlock,
  skip: (content: string) => boolean,
): Promise<Auction | undefined> => {
  const { network, database } = deps
  const now = Math.floor(deps.now() / 1000)
  const { candidates, departed } = await selectCandidates(
    database,
    network.chainId,
    now,
    deps.minValiditySeconds,
    state.candidates,
  )
  state.candidates = new Map(candidates.map((candidate) => [candidate.order.uid, candidate]))
  const { exclusions, prices, availableBalances, required } = await findExclusions(deps, state, block, candidates)
  if (availableBalances.length > 0) await updateAvailableBalances(database, network.chainId, availableBalances)
  const solvable = candidates.filter((candidate) => !exclusions.has(candidate))
  const content = computeContent(block, solvable)
  const toPolicies = (candidate: Candidate) =>
    computeFeePolicies(deps.feeRules, candidate.order, toQuotedAmounts(candidate), { ...network, now })
  const charged = solvable.map((candidate) => ({ candidate, policies: toPolicies(candidate) }))
  const listed = new Map(
    charged.map(({ candidate, policies }) => [
      candidate.order.uid,
      JSON.stringify(toAuctionOrder(candidate, policies)),
    ]),
  )
  const changes = {
    transitions: computeTransitions(candidates, exclusions, prices),
    ...computeListing(candidates, departed, state.listed, listed),
  }
  const changed = Object.values(changes).some(({ length }) => length > 0)
  const idle = solvable.length === 0 || skip(content)
  if (idle && !changed) return undefined

  const id = await nextAuctionId(database)
  const priceTexts = toPriceTexts(solvable, prices, network.wrappedNative)
  await insertAuction(database, network.chainId, { id, block: block.number, prices: priceTexts, ...changes })
  state.listed = listed
  if (idle) return undefined
  const orders = new Map(solvable.map(({ order }) => [order.uid, order]))
  const quotes = new Map(solvable.flatMap(({ order, quote }) => (quote ? [[order.uid, quote] as const] : [])))
  const feePolicies = new Map(charged.map(({ candidate, policies }) => [candidate.order.uid, policies]))
  const body = { orders: [...listed].map(([uid, text]) => ({ uid, body: text })), prices: priceTexts }
  const alone = new Map(
    solvable
      .filter(isSettledAlone)
      .map(({ order, settlementFailures }) => [order.uid, settlementFailures?.failures ?? 0]),
  )
  return { id, block: block.number, orders, quotes, prices, feePolicies, alone, required, body, content }
}

/** Orders differ by what is executed of them and by how they may be settled too; signed terms never change. */
const computeContent = (block: IndexedBlock, solvable: readonly Candidate[]): string =>
  [
    block.hash,
    ...solvable.map(
      (candidate) => `${candidate.order.uid}:${computeExecuted(candidate.order)}:${isSettledAlone(candidate)}`,
    ),
  ].join()

const toPriceTexts = (
  solvable: readonly Candidate[],
  prices: ReadonlyMap<Address, bigint>,
  wrappedNative: Address,
): Record<string, string> => {
  const tokens = new Set([wrappedNative, ...solvable.flatMap(({ order }) => [order.sellToken, order.buyToken])])
  return Object.fromEntries([...tokens].map((token) => [token, (prices.get(token) ?? 0n).toString()]))
}
