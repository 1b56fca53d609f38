import type { Address } from 'viem'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import type { ClockDeps } from '../clockDeps.ts'
import { findTouched } from './findTouched.ts'
import { readFunds } from './readFunds.ts'
import { type Holding, toHoldingKey } from './toHoldingKey.ts'

/** What an owner has of a token and what of it the vault relayer may move, token atoms. */
export type Funds = { balance: bigint; allowance: bigint }

/** Stands for funds that could not be read: the order was accepted with enough, and solvers simulate what they settle. */
export const unknownFunds: Funds = { balance: maxUint256, allowance: maxUint256 }

/** Funds as of one block, and when each was read (Unix seconds), oldest first. */
export type BalanceCache = {
  block: Pick<IndexedBlock, 'number' | 'hash'> | undefined
  balances: Map<string, Funds>
  readAt: Map<string, number>
  /** read for the first time since a change, at a head that may not have stayed one */
  unconfirmed: Set<string>
  /** holdings whose token was short of gas and that wait for a call with more */
  waiting: Set<string>
  /** tokens whose holdings are read last: 1 for one that was short of gas, 2 for one that burned much, too */
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

/** Funds older than this are read again, whatever the logs say, */
const maxAgeSeconds = 600
/** but no more of them than this with a block: one call. */
const maxRefreshed = 500

/**
 * What each owner holds and has approved, by `toHoldingKey`. A token that does not respond counts as 0. Read at the head,
 * which may be newer than `block`: an order must not be judged by what its owner held before it was accepted.
 *
 * What is known is kept. With a new block only those holdings are read again that a log of their token tells of
 * (`findTouched`), those read for the first time with the block before, and some that are old: a log that was missed, and a
 * token that changes balances without one, are noticed then, and by the simulation of a settlement before.
 * @param unjudged holdings of orders that no auction has looked at; these are read even when they are known
 * @returns `unknownFunds` for a holding that the bounds of one cut left out
 * @throws Error when the node fails
 */
export const findBalances = async (
  { network, chain }: Pick<ClockDeps, 'network' | 'chain'>,
  cache: BalanceCache,
  block: IndexedBlock,
  holdings: readonly Holding[],
  unjudged: readonly Holding[] = [],
): Promise<ReadonlyMap<string, Funds>> => {
  const wanted = new Map(holdings.map((holding) => [toHoldingKey(holding), holding]))
  forgetOthers(cache, wanted)
  const confirmed = new Set<string>()
  if (cache.block?.hash !== block.hash) {
    forget(cache, await findOutdated({ chain }, cache, block, wanted))
    for (const key of cache.unconfirmed) confirmed.add(key)
    forget(cache, cache.unconfirmed)
    cache.unconfirmed.clear()
    cache.block = block
  }
  forget(cache, unjudged.map(toHoldingKey))
  const missing = [...wanted].filter(([key]) => !cache.balances.has(key))
  const waiting = [...wanted].filter(([key]) => cache.waiting.has(key))
  for (const [key, funds] of await readFunds({ network, chain }, cache, missing, waiting)) {
    cache.balances.set(key, funds)
    cache.readAt.set(key, toSeconds(block))
    if (!confirmed.has(key)) cache.unconfirmed.add(key)
  }
  return new Map([...wanted.keys()].map((key) => [key, cache.balances.get(key) ?? unknownFunds]))
}

/** Keys of known holdings that have to be read again because of a new block. */
const findOutdated = async (
  { chain }: Pick<ClockDeps, 'chain'>,
  { block: before, balances, readAt }: BalanceCache,
  block: IndexedBlock,
  wanted: ReadonlyMap<string, Holding>,
): Promise<Iterable<string>> => {
  if (balances.size === 0) return []
  const tokens = [...new Set([...wanted.values()].map(({ token }) => token))]
  const touched = before && (await findTouched(chain, tokens, before, block))
  if (!touched) return [...balances.keys()]
  const isOld = (at: number) => Math.abs(toSeconds(block) - at) >= maxAgeSeconds
  const old = [...readAt].slice(0, maxRefreshed).filter(([, at]) => isOld(at))
  const unlisted = [...wanted].filter(([, { token }]) => touched.unlisted.has(token))
  return [...touched.keys, ...[...unlisted, ...old].map(([key]) => key)]
}

const forget = ({ balances, readAt }: BalanceCache, keys: Iterable<string>): void => {
  for (const key of keys) {
    balances.delete(key)
    readAt.delete(key)
  }
}

const forgetOthers = (cache: BalanceCache, wanted: ReadonlyMap<string, Holding>): void => {
  forget(
    cache,
    [...cache.balances.keys()].filter((key) => !wanted.has(key)),
  )
  for (const key of cache.waiting) if (!wanted.has(key)) cache.waiting.delete(key)
  const tokens = new Set([...wanted.values()].map(({ token }) => token))
  for (const token of cache.failing.keys()) if (!tokens.has(token)) cache.failing.delete(token)
}

const toSeconds = ({ timestamp }: IndexedBlock): number => Math.floor(timestamp.getTime() / 1000)
