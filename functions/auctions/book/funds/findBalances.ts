import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { BookDeps } from '../bookDeps.ts'
import { type BalanceCache, forgetHoldings, forgetOtherHoldings, type HeldFunds, unknownFunds } from './balanceCache.ts'
import { findChangedHoldings } from './findChangedHoldings.ts'
import { readFunds } from './readFunds.ts'
import { type Holding, toHoldingKey } from './toHoldingKey.ts'

/** Refresh balances older than this even if no log mentions them. */
const maxAgeSeconds = 600
/** At most this many refreshes per block (one call). */
const maxRefreshed = 500

/**
 * Finds each owner's balance and allowance, by `toHoldingKey`. A token that does not respond counts as 0. Reads at the
 * head, which may be newer than `block`: balances from before an order's acceptance must not exclude it.
 *
 * Known funds are cached. A new block refreshes only holdings mentioned in logs of their token (`findChangedHoldings`),
 * holdings first read with the previous block, and some of the oldest. The last detects missed logs and tokens that
 * change balances without logs; until then settlement simulations do.
 * @param unjudged holdings of orders not yet considered by an auction; always read
 * @returns `unknownFunds` for a holding beyond the bounds of one cut
 * @throws Error when the node fails
 */
export const findBalances = async (
  { network, chain }: Pick<BookDeps, 'network' | 'chain'>,
  cache: BalanceCache,
  block: IndexedBlock,
  holdings: readonly Holding[],
  unjudged: readonly Holding[] = [],
): Promise<ReadonlyMap<string, HeldFunds>> => {
  const wanted = new Map(holdings.map((holding) => [toHoldingKey(holding), holding]))
  forgetOtherHoldings(cache, wanted)
  const confirmed = new Set<string>()
  if (cache.block?.hash !== block.hash) {
    forgetHoldings(cache, await findOutdated({ chain }, cache, block, wanted))
    for (const key of cache.unconfirmed) confirmed.add(key)
    forgetHoldings(cache, cache.unconfirmed)
    cache.unconfirmed.clear()
    cache.block = block
  }
  forgetHoldings(cache, unjudged.map(toHoldingKey))
  const missing = [...wanted].filter(([key]) => !cache.balances.has(key))
  const waiting = [...wanted].filter(([key]) => cache.waiting.has(key))
  for (const [key, funds] of await readFunds({ network, chain }, cache, missing, waiting)) {
    cache.balances.set(key, funds)
    cache.readAt.set(key, toSeconds(block))
    if (!confirmed.has(key)) cache.unconfirmed.add(key)
  }
  return new Map([...wanted.keys()].map((key) => [key, cache.balances.get(key) ?? unknownFunds]))
}

/** Keys of known holdings to refresh for a new block. */
const findOutdated = async (
  { chain }: Pick<BookDeps, 'chain'>,
  { block: before, balances, readAt }: BalanceCache,
  block: IndexedBlock,
  wanted: ReadonlyMap<string, Holding>,
): Promise<Iterable<string>> => {
  if (balances.size === 0) return []
  const tokens = [...new Set([...wanted.values()].map(({ token }) => token))]
  const touched = before && (await findChangedHoldings(chain, tokens, before, block))
  if (!touched) return [...balances.keys()]
  const isOld = (at: number) => Math.abs(toSeconds(block) - at) >= maxAgeSeconds
  const old = [...readAt].slice(0, maxRefreshed).filter(([, at]) => isOld(at))
  const unlisted = [...wanted].filter(([, { token }]) => touched.unlisted.has(token))
  return [...touched.keys, ...[...unlisted, ...old].map(([key]) => key)]
}

const toSeconds = ({ timestamp }: IndexedBlock): number => Math.floor(timestamp.getTime() / 1000)
