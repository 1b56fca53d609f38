import type { Address, Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/solvableOrders.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import { SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { findRevertingHook } from '#shared/hooks/findRevertingHook.ts'
import { readHooks } from '#shared/hooks/readHooks.ts'
import { simulateFunds } from '#shared/hooks/simulateFunds.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { FillableOrder } from '#shared/orders/computeRemaining.ts'
import { computeRequiredFunds } from '#shared/orders/verdict/computeRequiredFunds.ts'
import type { ClockDeps } from '../clockDeps.ts'
import { computePreInteractions } from '../cutting/computePreInteractions.ts'
import { type HeldFunds, unknownFunds } from './findBalances.ts'

/** Balance and allowance of an owner after the order's pre-hooks, sell token atoms. */
export type HookFunds = HeldFunds & {
  /** the first reverting hook, determined only when the funds are insufficient */
  reverting?: { hook: number; target: Address } | undefined
}

/**
 * Newest funds of each order and the block of the read, undefined after an attempt without a response from the node;
 * oldest attempt first.
 */
export type HookFundsCache = Map<Hex, { blockHash: string | undefined; funds: HookFunds }>

type HookDeps = Pick<ClockDeps, 'network' | 'simulate'>
type HookedOrder = Pick<
  Candidate['order'],
  'uid' | 'owner' | 'sellToken' | 'feeAmount' | 'preInteractions' | keyof FillableOrder
>

/** Maximum number of simulated orders per auction; the others keep their results until a later one. */
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
  forgetOthers(cache, orders)
  const signal = AbortSignal.timeout(timeoutMs)
  let control: Promise<boolean> | undefined
  const isNodeAble = () => {
    control ??= canSimulate(deps, signal)
    return control
  }
  await mapBounded(selectDue(cache, block, orders), parallelSimulations, async (order) => {
    const funds = await simulateOrder(deps, order, isNodeAble, signal)
    const before = cache.get(order.uid)?.funds ?? unknownFunds
    cache.delete(order.uid)
    cache.set(order.uid, { blockHash: funds && block.hash, funds: funds ?? before })
  })
  return new Map(orders.map(({ uid }) => [uid, cache.get(uid)?.funds ?? unknownFunds]))
}

/** Orders never simulated come first, then those with the oldest attempt, so that none is delayed indefinitely. */
const selectDue = (cache: HookFundsCache, block: IndexedBlock, orders: readonly HookedOrder[]): HookedOrder[] => {
  const byUid = new Map(orders.map((order) => [order.uid, order]))
  const outdated = [...cache].flatMap(([uid, { blockHash }]) =>
    blockHash === block.hash ? [] : (byUid.get(uid) ?? []),
  )
  return [...orders.filter(({ uid }) => !cache.has(uid)), ...outdated].slice(0, maxSimulated)
}

/** Whether the node simulates a call that is independent of orders. */
const canSimulate = async ({ network, simulate }: HookDeps, signal: AbortSignal): Promise<boolean> => {
  try {
    await simulate([{ to: network.wrappedNative, data: '0x18160ddd' }], {}, signal)
    return true
  } catch (error) {
    if (error instanceof SimulationError) return false
    throw error
  }
}

/** @returns undefined when the node does not respond */
const simulateOrder = async (
  { network, simulate }: HookDeps,
  order: HookedOrder,
  isNodeAble: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<HookFunds | undefined> => {
  const preInteractions = computePreInteractions(order)
  try {
    const query = { owner: order.owner, sellToken: order.sellToken, preInteractions }
    const { balance = 0n, allowance = 0n } = await simulateFunds(simulate, network, query, signal)
    const needed = computeRequiredFunds(order)
    if (balance >= needed && allowance >= needed) return { balance, allowance }
    const hooks = readHooks(preInteractions)
    return { balance, allowance, reverting: await findRevertingHook(simulate, network, hooks, signal) }
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error
    if (!error.isResponse || !(await isNodeAble())) return undefined
    const [hook] = readHooks(preInteractions)
    return { balance: 0n, allowance: 0n, reverting: hook && { hook: 0, target: hook.target } }
  }
}

const forgetOthers = (cache: HookFundsCache, orders: readonly HookedOrder[]): void => {
  const uids = new Set(orders.map(({ uid }) => uid))
  for (const uid of cache.keys()) {
    if (!uids.has(uid)) cache.delete(uid)
  }
}
