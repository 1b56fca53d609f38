import type { Address } from 'viem'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import type { Holding } from './toHoldingKey.ts'

/** An owner's balance of a token and its allowance for the vault relayer, token atoms. */
export type HeldFunds = { balance: bigint; allowance: bigint }

/**
 * Placeholder for funds that could not be read: the order was accepted with sufficient funds, and solvers simulate
 * settlements.
 */
export const unknownFunds: HeldFunds = { balance: maxUint256, allowance: maxUint256 }

/** Funds as of one block, and when each was read (Unix seconds), oldest first. */
export type BalanceCache = {
  block: Pick<IndexedBlock, 'number' | 'hash'> | undefined
  balances: Map<string, HeldFunds>
  readAt: Map<string, number>
  /** holdings read once since a change, at a head that may have been reorganised */
  unconfirmed: Set<string>
  /** holdings whose token ran out of gas, waiting for a call with more gas */
  waiting: Set<string>
  /**
   * tokens whose holdings are read last: 1 for a token that ran out of gas, 2 for one that also ran out of the larger
   * limit
   */
  failing: Map<Address, number>
}

export const createBalanceCache = (): BalanceCache => ({
  block: undefined,
  balances: new Map(),
  readAt: new Map(),
  unconfirmed: new Set(),
  waiting: new Set(),
  failing: new Map(),
})

/** Removes holdings, so that they are read again. */
export const forgetHoldings = ({ balances, readAt }: BalanceCache, keys: Iterable<string>): void => {
  for (const key of keys) {
    balances.delete(key)
    readAt.delete(key)
  }
}

/** Removes everything about holdings and tokens that no order has any more. */
export const forgetOtherHoldings = (cache: BalanceCache, wanted: ReadonlyMap<string, Holding>): void => {
  forgetHoldings(
    cache,
    [...cache.balances.keys()].filter((key) => !wanted.has(key)),
  )
  for (const key of cache.waiting) if (!wanted.has(key)) cache.waiting.delete(key)
  const tokens = new Set([...wanted.values()].map(({ token }) => token))
  for (const token of cache.failing.keys()) if (!tokens.has(token)) cache.failing.delete(token)
}
