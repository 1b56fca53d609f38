import type { Address, Hex } from 'viem'
import { drawAuctionId, storeCut } from '#schema/queries/auctions.ts'
import type { IndexedBlock } from '#schema/queries/blocks.ts'
import type { OrderTransition } from '#schema/queries/orderTransitions.ts'
import { type Candidate, selectCandidates } from '#schema/queries/solvableOrders.ts'
import type { ClockDeps } from './clockDeps.ts'
import type { ClockState } from './clockState.ts'
import {
  computeBalanceExclusion,
  computePriceExclusion,
  computeStaticExclusion,
  type Exclusion,
  isBalanceExempt,
} from './computeExclusion.ts'
import { computeExecuted } from './computeRemaining.ts'
import { findBalances, type Holding } from './findBalances.ts'
import { findPrices } from './findPrices.ts'
import { toAuctionOrder } from './toAuctionOrder.ts'

export type CutDeps = Pick<
  ClockDeps,
  'network' | 'database' | 'chain' | 'solvers' | 'now' | 'log' | 'background' | 'minValiditySeconds' | 'priceMaxAgeMs'
>

/** The orders and prices that solvers compete on, fixed at a block. */
export type Auction = {
  id: number
  block: number
  orders: ReadonlyMap<Hex, Candidate['order']>
  /** wei per 10¹⁸ atoms */
  prices: ReadonlyMap<Address, bigint>
  body: { orders: ReturnType<typeof toAuctionOrder>[]; prices: Record<string, string> }
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
  state: Pick<ClockState, 'balances' | 'prices'>,
  block: IndexedBlock,
  skip: (content: string) => boolean,
): Promise<Auction | undefined> => {
  const { network, database } = deps
  const now = Math.floor(deps.now() / 1000)
  const { candidates, departed } = await selectCandidates(database, network.chainId, now, deps.minValiditySeconds)
  const { exclusions, prices } = await findExclusions(deps, state, block, candidates)
  const solvable = candidates.filter((candidate) => !exclusions.has(candidate))
  const content = computeContent(block, solvable)
  const changes = computeChanges(candidates, exclusions, departed)
  const changed = changes.transitions.length + changes.entered.length + changes.left.length > 0
  const idle = solvable.length === 0 || skip(content)
  if (idle && !changed) return undefined

  const id = await drawAuctionId(database)
  const body = { orders: solvable.map(toAuctionOrder), prices: toPriceTexts(solvable, prices, network.wrappedNative) }
  await storeCut(database, network.chainId, { id, block: block.number, body, ...changes })
  if (idle) return undefined
  const orders = new Map(solvable.map(({ order }) => [order.uid, order]))
  return { id, block: block.number, orders, prices, body, content }
}

/** Looks up only what is still open after the cheaper checks. */
const findExclusions = async (
  deps: CutDeps,
  state: Pick<ClockState, 'balances' | 'prices'>,
  block: IndexedBlock,
  candidates: readonly Candidate[],
): Promise<{ exclusions: Map<Candidate, Exclusion>; prices: ReadonlyMap<Address, bigint> }> => {
  const { settlementContract, wrappedNative } = deps.network
  const exclusions = new Map<Candidate, Exclusion>()
  const exclude = (compute: (candidate: Candidate) => Exclusion | undefined): Candidate[] => {
    for (const candidate of candidates) {
      const exclusion = exclusions.has(candidate) ? undefined : compute(candidate)
      if (exclusion) exclusions.set(candidate, exclusion)
    }
    return candidates.filter((candidate) => !exclusions.has(candidate))
  }
  const permitted = exclude(computeStaticExclusion)
  const paying = permitted.filter(
    (candidate) => candidate.order.partiallyFillable || !isBalanceExempt(candidate, settlementContract),
  )
  const unjudged = paying.filter(({ newestLabel }) => newestLabel === 'created')
  const balances = await findBalances(deps, state.balances, block, paying.map(toHolding), unjudged.map(toHolding))
  const payable = exclude((candidate) => computeBalanceExclusion(candidate, settlementContract, balances))
  const tokens = payable.flatMap(({ order }) => [order.sellToken, order.buyToken])
  const prices = await findPrices(deps, state.prices, [wrappedNative, ...tokens])
  exclude((candidate) => computePriceExclusion(candidate, prices))
  return { exclusions, prices }
}

const toHolding = ({ order }: Candidate): Holding => ({ owner: order.owner, token: order.sellToken })

/** Orders differ by what is executed of them too; signed terms never change. */
const computeContent = (block: IndexedBlock, solvable: readonly Candidate[]): string =>
  [block.hash, ...solvable.map(({ order }) => `${order.uid}:${computeExecuted(order)}`)].join()

/**
 * What is new about each order. `executing` says already that an order is in flight, so `in_flight` is not logged after it.
 */
const computeChanges = (
  candidates: readonly Candidate[],
  exclusions: ReadonlyMap<Candidate, Exclusion>,
  departed: readonly Hex[],
): { transitions: OrderTransition[]; entered: Hex[]; left: Hex[] } => {
  const transitions: OrderTransition[] = []
  const entered: Hex[] = []
  const left = [...departed]
  for (const candidate of candidates) {
    const { uid } = candidate.order
    const exclusion = exclusions.get(candidate)
    const { label, reason } = exclusion ?? { label: 'ready', reason: null }
    const known =
      (candidate.newestLabel === label && candidate.newestReason === reason) ||
      (candidate.newestLabel === 'executing' && reason === 'in_flight')
    if (!known) transitions.push({ uid, label, reason })
    if (exclusion && candidate.entered) left.push(uid)
    if (!exclusion && !candidate.entered) entered.push(uid)
  }
  return { transitions, entered, left }
}

const toPriceTexts = (
  solvable: readonly Candidate[],
  prices: ReadonlyMap<Address, bigint>,
  wrappedNative: Address,
): Record<string, string> => {
  const tokens = new Set([wrappedNative, ...solvable.flatMap(({ order }) => [order.sellToken, order.buyToken])])
  return Object.fromEntries([...tokens].map((token) => [token, (prices.get(token) ?? 0n).toString()]))
}
