import type { Address, Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { type CallBounds, type CallOutcome, callTogether } from '#shared/chain/calls/callTogether.ts'
import {
  buildSignatureCheck,
  encodeSignatureCheck,
  isAccepted,
  readSignatureVerdict,
  signatureOverrides,
} from '#shared/chain/calls/signatureCall.ts'
import { SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { simulateFunds } from '#shared/hooks/simulateFunds.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'
import type { BookDeps } from './bookDeps.ts'
import { computePreInteractions } from './computePreInteractions.ts'
import { canSimulate } from './funds/simulateHookFunds.ts'

type SignedOrder = Pick<Candidate['order'], 'uid' | 'owner' | 'signature'>

type Verdict = 'accepted' | 'refused' | 'exhausted' | 'notRequested'

/** Finds whether the owner contracts of orders accept the signatures in a call of the settlement contract, by UID. */
export const findSignatureVerdicts = async (
  { chain, network }: Pick<BookDeps, 'chain' | 'network'>,
  orders: readonly SignedOrder[],
  bounds: CallBounds,
): Promise<Map<Hex, Verdict>> => {
  const calls = orders.map(({ uid, owner, signature }) => {
    return { target: owner, callData: encodeSignatureCheck(unpackOrderUid(uid).digest, signature) }
  })
  const outcomes = await callTogether(chain, calls, { ...bounds, caller: network.settlementContract })
  return new Map(orders.map(({ uid, owner }, i) => [uid, toVerdict(owner, outcomes[i] ?? 'notRequested')]))
}

/** An account without code returns nothing, which accepts nothing. */
const toVerdict = (owner: Address, outcome: CallOutcome): Verdict => {
  if (outcome === 'exhausted' || outcome === 'notRequested') return outcome
  return outcome !== 'failed' && isAccepted(owner, outcome) ? 'accepted' : 'refused'
}

type HookedOrder = SignedOrder & Parameters<typeof computePreInteractions>[0] & Pick<Candidate['order'], 'sellToken'>

/** A Worker has six connections. */
const parallelSimulations = 4

/**
 * Finds the same for orders with interactions before their next trade, which may deploy the owner: one simulation each,
 * of these and the check.
 * @returns `notRequested` when the node does not respond
 */
export const simulateSignatureVerdicts = async (
  deps: Pick<BookDeps, 'network' | 'simulate' | 'maxGas'>,
  orders: readonly HookedOrder[],
  signal: AbortSignal,
): Promise<Map<Hex, Verdict>> => {
  const { network, simulate, maxGas } = deps
  let control: Promise<boolean> | undefined
  const verdicts = await mapBounded(orders, parallelSimulations, async (order): Promise<[Hex, Verdict]> => {
    const { uid, owner, sellToken, signature } = order
    const check = buildSignatureCheck(network, { owner, digest: unpackOrderUid(uid).digest, signature }, maxGas)
    const query = { owner, sellToken, preInteractions: computePreInteractions(order) }
    try {
      const { returned } = await simulateFunds(simulate, network, query, signal, [check], signatureOverrides)
      return [uid, readSignatureVerdict(returned[0]) === 'accepted' ? 'accepted' : 'refused']
    } catch (error) {
      if (!(error instanceof SimulationError)) throw error
      if (!error.isResponse) return [uid, 'notRequested']
      control ??= canSimulate(deps, signal)
      return [uid, (await control) ? 'refused' : 'notRequested']
    }
  })
  return new Map(verdicts)
}
