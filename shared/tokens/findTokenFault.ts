import type { Address } from 'viem'
import { type Simulate, SimulationError } from '../chain/calls/simulateCalls.ts'
import { nativeSentinel } from '../networks.ts'
import type { FindLayout } from './createLayoutFinder.ts'
import { findHoldingPools, type PoolNetwork } from './findHoldingPools.ts'
import { findScaledBalance } from './findScaledBalance.ts'
import { findTransferLoss } from './findTransferLoss.ts'
import type { TokenFault } from './tokenFault.ts'

/** Cached verdicts on tokens, null for a token without a fault; each with its expiry in Unix milliseconds. */
export type TokenFaults = Map<Address, { fault: TokenFault | null; until: number }>

export type CheckTokenFaultsDeps = {
  network: PoolNetwork
  simulate: Simulate
  now: () => number
  /** shared between requests */
  tokenFaults: TokenFaults
}

/** Lifetime of a verdict: the maximum time until a changed token behaviour takes effect. */
const lifetimeMs = 10 * 60_000

const maxKnownTokens = 1_000

/** @returns undefined for a token without a fault, and when the node gives no proof */
export const findTokenFault = async (
  { network, simulate, now, tokenFaults }: CheckTokenFaultsDeps,
  token: Address,
  signal: AbortSignal,
  findLayout: FindLayout | undefined,
): Promise<TokenFault | undefined> => {
  if (token === network.wrappedNative || token === nativeSentinel) return undefined
  const known = tokenFaults.get(token)
  if (known && now() < known.until) return known.fault ?? undefined
  if (!findLayout) return undefined
  try {
    const [layout, pools] = await Promise.all([findLayout(token), findHoldingPools(simulate, network, token, signal)])
    const loss = await findTransferLoss(simulate, token, layout, pools, signal)
    const fault = loss ?? (layout ? undefined : await findRebase(simulate, token, signal))
    if (tokenFaults.size >= maxKnownTokens) tokenFaults.clear()
    tokenFaults.set(token, { fault: fault ?? null, until: now() + lifetimeMs })
    return fault
  } catch (error) {
    if (error instanceof SimulationError) return undefined
    throw error
  }
}

const findRebase = async (simulate: Simulate, token: Address, signal: AbortSignal): Promise<TokenFault | undefined> => {
  const scaled = await findScaledBalance(simulate, token, signal)
  return scaled && { token, reason: 'rebases', sent: scaled.written, received: scaled.read }
}
