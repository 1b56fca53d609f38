import type { Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { type CallBounds, type CallOutcome, callTogether } from '#shared/chain/calls/callTogether.ts'
import { encodeSignatureCheck, isAccepted } from '#shared/chain/calls/signatureCall.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'
import type { BookDeps } from './bookDeps.ts'

type SignedOrder = Pick<Candidate['order'], 'uid' | 'owner' | 'signature'>

type Verdict = 'accepted' | 'refused' | 'exhausted' | 'notRequested'

/** Finds whether the owner contracts of orders accept the signatures, by UID. */
export const findSignatureVerdicts = async (
  { chain }: Pick<BookDeps, 'chain'>,
  orders: readonly SignedOrder[],
  bounds: CallBounds,
): Promise<Map<Hex, Verdict>> => {
  const calls = orders.map(({ uid, owner, signature }) => {
    return { target: owner, callData: encodeSignatureCheck(unpackOrderUid(uid).digest, signature) }
  })
  const outcomes = await callTogether(chain, calls, bounds)
  return new Map(orders.map(({ uid }, i) => [uid, toVerdict(outcomes[i] ?? 'notRequested')]))
}

/** An account without code returns nothing. */
const toVerdict = (outcome: CallOutcome): Verdict => {
  if (outcome === 'exhausted' || outcome === 'notRequested') return outcome
  if (outcome === 'failed') return 'refused'
  return outcome === '0x' || isAccepted(outcome) ? 'accepted' : 'refused'
}
