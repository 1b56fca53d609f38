import { type AccessList, zeroAddress } from 'viem'
import { findPayoutAccess } from '#shared/chain/calls/findPayoutAccess.ts'
import { type Simulate, SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { toBeneficiary } from '#shared/orders/toBeneficiary.ts'
import { createLayoutFinder } from '#shared/tokens/createLayoutFinder.ts'
import type { BalanceLayouts } from '#shared/tokens/findBalanceLayout.ts'
import type { Verify } from '../estimates/findEstimate.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { verifyEstimate } from './verifyEstimate.ts'

export type CreateVerifierDeps = {
  network: Network
  simulate: Simulate
  connect: () => ChainClient
  /** shared between requests */
  balanceLayouts: BalanceLayouts
}

/** `fast` quotes skip verification. */
export const skipVerification: Verify = async () => ({ status: 'skipped', reason: 'fastQuote' })

/**
 * Verifies the offers of one request until `signal` aborts. The balance layout of the sell token and the access list of
 * the payout are found while the solvers are still working.
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
  const payoutAccess = findAccess(deps, prepared.request)
  return async (quote) => {
    if (prepared.appData.fullAppData === null) return { status: 'skipped', reason: 'unknownAppData' }
    const found = await layout
    if (found instanceof SimulationError) return { status: 'skipped', reason: found.reason }
    const preparation = { layout: found, payoutAccess: await payoutAccess }
    return verifyEstimate({ network, simulate, signal }, prepared, quote, preparation)
  }
}

/** Solvers declare the same for their settlements. */
const findAccess = async (
  { network, connect }: CreateVerifierDeps,
  { from, receiver, buyToken }: PreparedRequest['request'],
): Promise<AccessList> => {
  const beneficiary = toBeneficiary({ owner: from, receiver })
  if (buyToken !== nativeSentinel || beneficiary === zeroAddress) return []
  const found = await findPayoutAccess(connect(), network.settlementContract, [beneficiary]).catch(() => undefined)
  return found?.get(beneficiary) ?? []
}
