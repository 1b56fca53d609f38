import type { Address, Hex } from 'viem'
import type { KnownCandidate } from '#schema/queries/auctions/solvableOrders.ts'
import { createParticipationState, type ParticipationState } from './competition/findParticipation.ts'
import { type BalanceCache, createBalanceCache } from './cutting/findBalances.ts'
import type { HookFundsCache } from './cutting/findHookFunds.ts'
import type { PriceCache } from './cutting/findPrices.ts'
import type { SignatureCache } from './cutting/findRefusedSignatures.ts'
import { createIndexState, type IndexState } from './indexing/indexChain.ts'

/** What the clock remembers between ticks; all of it can be lost at any moment. */
export type ClockState = ParticipationState & {
  index: IndexState
  /** of the newest cut, by order UID */
  candidates: ReadonlyMap<Hex, KnownCandidate>
  /** orders of the newest auction as they are stored: JSON text by UID */
  listed: ReadonlyMap<Hex, string>
  balances: BalanceCache
  hookFunds: HookFundsCache
  prices: PriceCache
  signatures: SignatureCache
  authenticator: Address | undefined
  /** accounts that the authenticator allowed when it was read last */
  allowed: ReadonlySet<Address> | undefined
  ticking: boolean
  /** the node wants to be left alone until then (Unix milliseconds), and has said so this often in a row */
  pause: { until: number; times: number }
  /** the auction that is being held, if one is */
  round: Promise<unknown> | undefined
  /** something changed that calls for an auction before the next block */
  woken: boolean
  lastRound: { blockHash: string; at: number } | undefined
  /** see `computeWaiting` */
  waiting: ReadonlyMap<Hex, number>
  /** what the newest auction without a solution was about, and when it was held */
  lastFruitless: { content: string; at: number } | undefined
}

export const createClockState = (): ClockState => ({
  ...createParticipationState(),
  index: createIndexState(),
  candidates: new Map(),
  listed: new Map(),
  balances: createBalanceCache(),
  hookFunds: new Map(),
  prices: new Map(),
  signatures: new Map(),
  authenticator: undefined,
  allowed: undefined,
  ticking: false,
  pause: { until: 0, times: 0 },
  round: undefined,
  woken: true,
  lastRound: undefined,
  waiting: new Map(),
  lastFruitless: undefined,
})
