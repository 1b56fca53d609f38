import { type Simulate, SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import type { Network } from '#shared/networks.ts'
import { createLayoutFinder } from '#shared/tokens/createLayoutFinder.ts'
import type { BalanceLayouts } from '#shared/tokens/findBalanceLayout.ts'
import type { Verify } from '../estimates/findEstimate.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { verifyEstimate } from './verifyEstimate.ts'

export type CreateVerifierDeps = {
  network: Network
  simulate: Simulate
  /** remembered from one request to the next */
  balanceLayouts: BalanceLayouts
}

/** A `fast` quote waits for nothing that it can do without. */
export const skipVerification: Verify = async () => ({ status: 'skipped', reason: 'fastQuote' })

/**
 * Verifies the offers of one request until `signal` ends it. How the sell token stores balances is found while the solvers
 * are still thinking.
 */
export const createVerifier = (
  deps: CreateVerifierDeps,
  prepared: PreparedRequest,
  signal: AbortSignal,
  findLayout = createLayoutFinder(deps, signal),
): Verify => {
  const { network, simulate } = deps
  const layout = findLayout(prepared.request.sellToken).catch((error: unknown) => {
    if (error instanceof SimulationError) return error
    throw error
  })
  return async (quote) => {
    const found = await layout
    if (found instanceof SimulationError) return { status: 'skipped', reason: found.reason }
    return verifyEstimate({ network, simulate, signal }, prepared, quote, found)
  }
}
