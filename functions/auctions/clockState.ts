import type { Address, Hex } from 'viem'
import type { KnownCandidate } from '#schema/queries/auctions/candidate.ts'
import type { SignatureCache } from './book/findRefusedSignatures.ts'
import { type BalanceCache, createBalanceCache } from './book/funds/balanceCache.ts'
import type { HookFundsCache } from './book/funds/findHookFunds.ts'
import type { PriceCache } from './book/requestPrices.ts'
import { createIndexState, type IndexState } from './indexing/indexChain.ts'
import { createParticipationState, type ParticipationState } from './settling/findParticipation.ts'
import type { SolveBases } from './solvers/solveBodies.ts'

/** State of the clock between ticks; it can be lost at any time. */
export type ClockState = ParticipationState & {
  index: IndexState
  /** of the newest cut, by order UID */
  candidates: ReadonlyMap<Hex, KnownCandidate>
  /** orders of the newest auction as stored: JSON text by UID */
  listed: ReadonlyMap<Hex, string>
  /** orders in turn of a full book: the turn's number, and the UIDs behind which it and the next turn begin */
  turn: { number: number | undefined; after: Hex; end: Hex | undefined }
  balances: BalanceCache
  hookFunds: HookFundsCache
  prices: PriceCache
  signatures: SignatureCache
  bases: SolveBases
  authenticator: Address | undefined
  /** accounts that the authenticator allowed at its last read */
  allowed: ReadonlySet<Address> | undefined
  ticking: boolean
  /**
   * end of the pause required by the node's rate limit (Unix milliseconds), and the number of consecutive rate limit
   * errors
   */
  pause: { until: number; times: number }
  /** the running auction, if any */
  round: Promise<unknown> | undefined
  /** whether a change requires an auction before the next block */
  woken: boolean
  lastRound: { blockHash: string; at: number } | undefined
  /** pairs with a failed settlement (`toTradedPair`), and the block of the auction that it won */
  failedPairs: Map<string, number>
  /** see `computeWaiting` */
  waiting: ReadonlyMap<Hex, number>
  /** contents and time of the newest auction without a solution */
  lastFruitless: { content: string; at: number } | undefined
}

export const createClockState = (): ClockState => ({
  ...createParticipationState(),
  index: createIndexState(),
  candidates: new Map(),
  listed: new Map(),
  turn: { number: undefined, after: '0x', end: undefined },
  balances: createBalanceCache(),
  hookFunds: new Map(),
  prices: new Map(),
  signatures: new Map(),
  bases: new Map(),
  authenticator: undefined,
  allowed: undefined,
  ticking: false,
  pause: { until: 0, times: 0 },
  round: undefined,
  woken: true,
  lastRound: undefined,
  failedPairs: new Map(),
  waiting: new Map(),
  lastFruitless: undefined,
})
