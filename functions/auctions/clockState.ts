import type { Address } from 'viem'
import { type BalanceCache, createBalanceCache } from './findBalances.ts'
import type { PriceCache } from './findPrices.ts'
import { createIndexState, type IndexState } from './indexChain.ts'

/** What the clock remembers between ticks; all of it can be lost at any moment. */
export type ClockState = {
  index: IndexState
  balances: BalanceCache
  prices: PriceCache
  authenticator: Address | undefined
  ticking: boolean
  /** the auction that is being held, if one is */
  round: Promise<unknown> | undefined
  /** something changed that calls for an auction before the next block */
  woken: boolean
  lastRound: { blockHash: string; at: number } | undefined
  /** what the newest auction without a solution was about, and when it was held */
  lastFruitless: { content: string; at: number } | undefined
}

export const createClockState = (): ClockState => ({
  index: createIndexState(),
  balances: createBalanceCache(),
  prices: new Map(),
  authenticator: undefined,
  ticking: false,
  round: undefined,
  woken: true,
  lastRound: undefined,
  lastFruitless: undefined,
})
