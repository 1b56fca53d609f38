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
  /** shared between requests */
  balanceLayouts: BalanceLayouts
}

/** `fast` quotes skip verification. */
export const skipVerification: Verify = async () => ({ status: 'skipped', reason: 'fastQuote' })

/**
 * Verifies the offers of one request until `signal` aborts. The balance layout of the sell token is found while the
 * solvers are still working.
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
    if (prepared.appData.fullAppData === null) return { status: 'skipped', reason: 'unknownAppData' }
    const found = await layout
    if (found instanceof SimulationError) return { status: 'skipped', reason: found.reason }
    return verifyEstimate({ network, simulate, signal }, prepared, quote, found)
  }
}
