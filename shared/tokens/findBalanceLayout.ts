import type { Address } from 'viem'
import type { Simulate } from '../chain/calls/simulateCalls.ts'
import { type BalanceLayout, buildLayouts } from './balanceLayouts.ts'
import { probeLayouts } from './probeLayouts.ts'

/** Cached layouts by token; null: the token uses no known layout. */
export type BalanceLayouts = Map<Address, BalanceLayout | null>

const maxKnownTokens = 1_000

/**
 * Finds the storage layout of a token's balances in one simulation: a value is written for a separate holder under each
 * known layout, and the layout whose holder has exactly that balance is the token's.
 * @param known cache of the results
 * @returns undefined when the token uses another layout, or computes its balances
 * @throws SimulationError
 */
export const findBalanceLayout = async (
  { simulate, known }: { simulate: Simulate; known: BalanceLayouts },
  token: Address,
  signal: AbortSignal,
): Promise<BalanceLayout | undefined> => {
  const remembered = known.get(token)
  if (remembered !== undefined) return remembered ?? undefined
  const balances = await probeLayouts(simulate, token, probeBalance, signal)
  const found = buildLayouts()[balances.findIndex((balance, index) => balance === probeBalance(index))]
  if (known.size >= maxKnownTokens) known.clear()
  known.set(token, found ?? null)
  return found
}
const probeBalance = (index: number): bigint => 0xed9eb00cn + BigInt(index)
