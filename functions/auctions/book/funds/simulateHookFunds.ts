import type { Address } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { findRevertingHook } from '#shared/hooks/findRevertingHook.ts'
import { readHooks } from '#shared/hooks/readHooks.ts'
import { simulateFunds } from '#shared/hooks/simulateFunds.ts'
import type { FillableOrder } from '#shared/orders/computeRemaining.ts'
import { computeRequiredFunds } from '#shared/orders/verdict/requiredFunds.ts'
import type { BookDeps } from '../bookDeps.ts'
import { computePreInteractions } from '../computePreInteractions.ts'
import type { HeldFunds } from './balanceCache.ts'

/** Balance and allowance of an owner after the order's pre-hooks, sell token atoms. */
export type HookFunds = HeldFunds & {
  /** the first reverting hook, determined only when the funds are insufficient */
  reverting?: { hook: number; target: Address } | undefined
}

/** Whether the node simulates a call that is independent of orders. */
export const canSimulate = async ({ network, simulate }: HookDeps, signal: AbortSignal): Promise<boolean> => {
  try {
    await simulate([{ to: network.wrappedNative, data: '0x18160ddd' }], {}, signal)
    return true
  } catch (error) {
    if (error instanceof SimulationError) return false
    throw error
  }
}

/** @returns undefined when the node does not respond */
export const simulateHookFunds = async (
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

export type HookDeps = Pick<BookDeps, 'network' | 'simulate'>

export type HookedOrder = Pick<
  Candidate['order'],
  'uid' | 'owner' | 'sellToken' | 'feeAmount' | 'preInteractions' | keyof FillableOrder
>
