import type { Address } from 'viem'
import type { Simulate } from '../chain/calls/simulateCalls.ts'
import type { BalanceLayout } from './balanceLayouts.ts'
import { type BalanceLayouts, findBalanceLayout } from './findBalanceLayout.ts'

/** @throws SimulationError */
export type FindLayout = (token: Address) => Promise<BalanceLayout | undefined>

/** Finds balance layouts for one request, with at most one simulation per token. */
export const createLayoutFinder = (
  { simulate, balanceLayouts }: { simulate: Simulate; balanceLayouts: BalanceLayouts },
  signal: AbortSignal,
): FindLayout => {
  const inFlight = new Map<Address, Promise<BalanceLayout | undefined>>()
  return (token) => {
    const layout = inFlight.get(token) ?? findBalanceLayout({ simulate, known: balanceLayouts }, token, signal)
    inFlight.set(token, layout)
    return layout
  }
}
