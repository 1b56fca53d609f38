import { type AccessList, numberToHex, zeroAddress } from 'viem'
import { createPayoutAccess } from '#shared/chain/calls/createPayoutAccess.ts'
import { type Simulate, SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { toBeneficiary } from '#shared/orders/toBeneficiary.ts'
import type { SolverQuote } from '#shared/solvers/requestQuote.ts'
import { createLayoutFinder, type FindLayout } from '#shared/tokens/createLayoutFinder.ts'
import type { BalanceLayouts } from '#shared/tokens/findBalanceLayout.ts'
import { findBalanceWord, type WriteBalance } from '#shared/tokens/findBalanceWord.ts'
import type { Verify } from '../estimates/findEstimate.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { placeholderOwner, type Verification, verifyEstimate } from './verifyEstimate.ts'

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
  const writing = findWriteBalance(deps, prepared.request, signal, findLayout).catch((error: unknown) => {
    if (error instanceof SimulationError) return error
    throw error
  })
  const payoutAccess = findAccess(deps, prepared.request)
  const verdicts = new Map<string, Promise<Verification>>()
  const verifyOffer = async (quote: SolverQuote): Promise<Verification> => {
    if (prepared.appData.fullAppData === null) return { status: 'skipped', reason: 'unknownAppData' }
    const found = await writing
    if (found instanceof SimulationError) return { status: 'skipped', reason: found.reason }
    const preparation = { writeBalance: found, payoutAccess: await payoutAccess }
    return verifyEstimate({ network, simulate, signal }, prepared, quote, preparation)
  }
  // equal offers of several solvers are simulated once, unless that simulation refutes the first of them
  return async (quote) => {
    const key = toKey(quote)
    const earlier = verdicts.get(key)
    const known = earlier && (await earlier)
    if (known?.status === 'passed') return known
    const verdict = verifyOffer(quote)
    verdicts.set(key, verdict)
    return verdict
  }
}

/** What the settlement of an offer does, whatever account sends it. */
const toKey = ({ sellAmount, buyAmount, preInteractions, interactions }: SolverQuote): string =>
  JSON.stringify([sellAmount, buyAmount, preInteractions, interactions], (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )

/** By the known layout of the sell token, else by the word that it reads. */
const findWriteBalance = async (
  { simulate, connect }: CreateVerifierDeps,
  { from, sellToken }: PreparedRequest['request'],
  signal: AbortSignal,
  findLayout: FindLayout,
): Promise<WriteBalance | undefined> => {
  const owner = from === zeroAddress ? placeholderOwner : from
  const layout = await findLayout(sellToken)
  if (!layout) return findBalanceWord({ simulate, client: connect() }, sellToken, owner, signal).catch(() => undefined)
  return (amount) => ({ [sellToken]: { stateDiff: { [layout(owner)]: numberToHex(amount, { size: 32 }) } } })
}

/** Solvers declare the same for their settlements. */
const findAccess = async (
  { network, connect }: CreateVerifierDeps,
  { from, receiver, buyToken }: PreparedRequest['request'],
): Promise<AccessList> => {
  const beneficiary = toBeneficiary({ owner: from, receiver })
  if (buyToken !== nativeSentinel || beneficiary === zeroAddress) return []
  const found = await createPayoutAccess(connect(), network.settlementContract)([beneficiary]).catch(() => undefined)
  return found?.get(beneficiary) ?? []
}
