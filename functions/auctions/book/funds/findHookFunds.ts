import type { Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { alternate } from '../alternate.ts'
import { forgetOtherOrders } from '../forgetOtherOrders.ts'
import { unknownFunds } from './balanceCache.ts'
import { canSimulate, type HookDeps, type HookedOrder, type HookFunds, simulateHookFunds } from './simulateHookFunds.ts'

/**
 * Newest funds of each order and the block of the read, undefined after an attempt without a response from the node;
 * oldest attempt first.
 */
export type HookFundsCache = Map<Hex, { blockHash: string | undefined; funds: HookFunds }>

/** Maximum number of simulated orders per auction; the results of the others remain until a later one. */
const maxSimulated = 32
/** A Worker has six connections. */
const parallelSimulations = 4
/** Time limit of all simulations of one auction. */
const timeoutMs = 2_000

/**
 * Finds the funds of orders with pre-interactions after these calls, by UID: one simulation per order and block, on the
 * newest state. A node that does not respond excludes no order; an error response to one order's calls, while the node
 * simulates others, counts against that order.
 * @param candidates orders with pre-interactions
 */
export const findHookFunds = async (
  deps: HookDeps,
  cache: HookFundsCache,
  block: IndexedBlock,
  candidates: readonly { order: HookedOrder }[],
): Promise<ReadonlyMap<Hex, HookFunds>> => {
  const orders = candidates.map(({ order }) => order)
  forgetOtherOrders(cache, orders)
  const signal = AbortSignal.timeout(timeoutMs)
  let control: Promise<boolean> | undefined
  const isNodeAble = () => {
    control ??= canSimulate(deps, signal)
    return control
  }
  await mapBounded(selectDue(cache, block, orders), parallelSimulations, async (order) => {
    const funds = await simulateHookFunds(deps, order, isNodeAble, signal)
    const before = cache.get(order.uid)?.funds ?? unknownFunds
    cache.delete(order.uid)
    cache.set(order.uid, { blockHash: funds && block.hash, funds: funds ?? before })
  })
  return new Map(orders.map(({ uid }) => [uid, cache.get(uid)?.funds ?? unknownFunds]))
}

/** Orders never simulated alternate with those with the oldest attempt, so that none is delayed indefinitely. */
const selectDue = (cache: HookFundsCache, block: IndexedBlock, orders: readonly HookedOrder[]): HookedOrder[] => {
  const byUid = new Map(orders.map((order) => [order.uid, order]))
  const outdated = [...cache].flatMap(([uid, { blockHash }]) =>
    blockHash === block.hash ? [] : (byUid.get(uid) ?? []),
  )
  const unknown = orders.filter(({ uid }) => !cache.has(uid))
  return alternate(unknown, outdated).slice(0, maxSimulated)
}
