import type { Address } from 'viem'
import { insertAuction, nextAuctionId } from '#schema/queries/auctions/auctions.ts'
import { updateAvailableBalances } from '#schema/queries/auctions/availableBalances.ts'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { selectCandidates } from '#schema/queries/auctions/selectCandidates.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { OrderTransition } from '#schema/queries/events/orderTransitions.ts'
import { computeExecuted } from '#shared/orders/computeRemaining.ts'
import type { Auction } from '../auction.ts'
import type { ClockDeps } from '../clockDeps.ts'
import type { ClockState } from '../clockState.ts'
import { toTradedPair } from '../toTradedPair.ts'
import { computeFeePolicies } from './computeFeePolicies.ts'
import { computeTransitions } from './computeTransitions.ts'
import { diffListedOrders } from './diffListedOrders.ts'
import { isSettledAlone } from './exclude.ts'
import { findBookLimit } from './findBookLimit.ts'
import { type ExclusionDeps, type ExclusionState, findExclusions } from './findExclusions.ts'
import { toAuctionOrder } from './toAuctionOrder.ts'
import { toQuotedAmounts } from './toQuotedAmounts.ts'

export type CutDeps = ExclusionDeps & Pick<ClockDeps, 'database' | 'minValiditySeconds' | 'feeRules' | 'maxOrders'>

/** State retained between cuts. */
type CutState = ExclusionState & Pick<ClockState, 'candidates' | 'listed' | 'failedPairs' | 'turn'>

/**
 * Cuts the auction of a block: the open orders that could settle now, with native prices. Changes of orders since the
 * previous auction (entered, left, reason) are logged with it in one transaction. After a failed settlement, the orders
 * on its pairs remain listed, but enter no other auction on the same block.
 * @param skip fingerprint for which no auction is needed
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
  const limit = findBookLimit(deps, state, block)
  const { candidates, departed, crowdedOut, turnEnd } = await selectCandidates(
    database,
    network.chainId,
    now,
    deps.minValiditySeconds,
    state.candidates,
    limit,
  )
  state.turn.end = turnEnd
  state.candidates = new Map(candidates.map((candidate) => [candidate.order.uid, candidate]))
  const { exclusions, prices, availableBalances, required } = await findExclusions(deps, state, block, candidates)
  if (availableBalances.length > 0) await updateAvailableBalances(database, network.chainId, availableBalances)
  const solvable = candidates.filter((candidate) => !exclusions.has(candidate))
  for (const [pair, number] of state.failedPairs) if (number !== block.number) state.failedPairs.delete(pair)
  const competing = solvable.filter(({ order }) => !state.failedPairs.has(toTradedPair(order, network.wrappedNative)))
  const content = computeContent(block, competing)
  const toPolicies = (candidate: Candidate) =>
    computeFeePolicies(deps.feeRules, candidate.order, toQuotedAmounts(candidate), { ...network, now })
  const charged = solvable.map((candidate) => ({ candidate, policies: toPolicies(candidate) }))
  const listed = new Map(
    charged.map(({ candidate, policies }) => [
      candidate.order.uid,
      JSON.stringify(toAuctionOrder(candidate, policies)),
    ]),
  )
  // orders that left only because the auction is full
  const full = crowdedOut.map((uid): OrderTransition => ({ uid, label: 'filtered', reason: 'auction_full' }))
  const changes = {
    transitions: [...computeTransitions(candidates, exclusions, prices), ...full],
    ...diffListedOrders(candidates, departed, state.listed, listed),
  }
  const changed = Object.values(changes).some(({ length }) => length > 0)
  const idle = competing.length === 0 || skip(content)
  if (idle && !changed) return undefined

  const id = await nextAuctionId(database)
  const priceTexts = toPriceTexts(solvable, prices, network.wrappedNative)
  await insertAuction(database, network.chainId, { id, block: block.number, prices: priceTexts, ...changes })
  state.listed = listed
  if (idle) return undefined
  const toOrders = (entries: readonly Candidate[]) => new Map(entries.map(({ order }) => [order.uid, order]))
  const orders = toOrders(competing)
  const quotes = new Map(competing.flatMap(({ order, quote }) => (quote ? [[order.uid, quote] as const] : [])))
  const feePolicies = new Map(charged.map(({ candidate, policies }) => [candidate.order.uid, policies]))
  const body = {
    orders: [...listed].flatMap(([uid, text]) => (orders.has(uid) ? [{ uid, body: text }] : [])),
    prices: priceTexts,
  }
  const alone = new Map(
    competing
      .filter(isSettledAlone)
      .map(({ order, settlementFailures }) => [order.uid, settlementFailures?.failures ?? 0]),
  )
  return {
    ...{ id, block: block.number, orders, solvable: toOrders(solvable), quotes, prices },
    ...{ feePolicies, alone, required, body, content },
  }
}

/** Identifies an order by its executed amounts and settlement constraints too; signed terms never change. */
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
