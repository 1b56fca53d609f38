import type { Address, Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/blocks.ts'
import type { Candidate } from '#schema/queries/solvableOrders.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { SimulationError } from '#shared/chain/simulateCalls.ts'
import { findRevertingHook } from '#shared/hooks/findRevertingHook.ts'
import { readHooks } from '#shared/hooks/readHooks.ts'
import { simulateFunds } from '#shared/hooks/simulateFunds.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { ClockDeps } from '../clockDeps.ts'
import { computeNeeded } from './computeNeeded.ts'
import { computePreInteractions } from './computePreInteractions.ts'
import type { FillableOrder } from './computeRemaining.ts'
import type { Funds } from './findBalances.ts'

/** What an owner has, and has approved, after the order's pre-hooks: sell token atoms. */
export type HookFunds = Funds & {
  /** the first hook that reverts, looked for only when the funds do not suffice */
  reverting?: { hook: number; target: Address } | undefined
}

/** The newest answer for each order and the block it was asked for, oldest answer first. */
export type HookFundsCache = Map<Hex, { blockHash: string; funds: HookFunds }>

type HookDeps = Pick<ClockDeps, 'network' | 'simulate'>
type HookedOrder = Pick<
  Candidate['order'],
  'uid' | 'owner' | 'sellToken' | 'feeAmount' | 'preInteractions' | keyof FillableOrder
>

/** Orders simulated for one auction; the others keep their answers until their turn comes. */
const maxSimulated = 32
/** A Worker has six connections. */
const parallelSimulations = 4
/** For all simulations of one auction together. */
const timeoutMs = 2_000
/** Nobody knows: the order was accepted, and solvers simulate what they settle. */
const unknownFunds: HookFunds = { balance: maxUint256, allowance: maxUint256 }

/**
 * The funds of orders that call something before their first trade, as they are after it, by UID: one simulation per order
 * and block, on the newest state. A node that does not answer speaks against no order.
 * @param candidates orders with such calls
 */
export const findHookFunds = async (
  deps: HookDeps,
  cache: HookFundsCache,
  block: IndexedBlock,
  candidates: readonly { order: HookedOrder }[],
): Promise<ReadonlyMap<Hex, HookFunds>> => {
  const orders = candidates.map(({ order }) => order)
  forgetOthers(cache, orders)
  const signal = AbortSignal.timeout(timeoutMs)
  await mapBounded(selectDue(cache, block, orders), parallelSimulations, async (order) => {
    const funds = await simulateOrder(deps, order, signal)
    if (!funds) return
    cache.delete(order.uid)
    cache.set(order.uid, { blockHash: block.hash, funds })
  })
  return new Map(orders.map(({ uid }) => [uid, cache.get(uid)?.funds ?? unknownFunds]))
}

/** Orders without an answer come first, then those whose answer is the oldest. */
const selectDue = (cache: HookFundsCache, block: IndexedBlock, orders: readonly HookedOrder[]): HookedOrder[] => {
  const byUid = new Map(orders.map((order) => [order.uid, order]))
  const outdated = [...cache].flatMap(([uid, { blockHash }]) =>
    blockHash === block.hash ? [] : (byUid.get(uid) ?? []),
  )
  return [...orders.filter(({ uid }) => !cache.has(uid)), ...outdated].slice(0, maxSimulated)
}

/** @returns undefined when the node gives no answer */
const simulateOrder = async (
  { network, simulate }: HookDeps,
  order: HookedOrder,
  signal: AbortSignal,
): Promise<HookFunds | undefined> => {
  try {
    const preInteractions = computePreInteractions(order)
    const query = { owner: order.owner, sellToken: order.sellToken, preInteractions }
    const { balance = 0n, allowance = 0n } = await simulateFunds(simulate, network, query, signal)
    const needed = computeNeeded(order)
    if (balance >= needed && allowance >= needed) return { balance, allowance }
    const hooks = readHooks(preInteractions)
    return { balance, allowance, reverting: await findRevertingHook(simulate, network, hooks, signal) }
  } catch (error) {
    if (error instanceof SimulationError) return undefined
    throw error
  }
}

const forgetOthers = (cache: HookFundsCache, orders: readonly HookedOrder[]): void => {
  const uids = new Set(orders.map(({ uid }) => uid))
  for (const uid of cache.keys()) {
    if (!uids.has(uid)) cache.delete(uid)
  }
}
