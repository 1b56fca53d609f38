import type { Candidate } from '#schema/queries/auctions/candidate.ts'

/**
 * Class of certainty of an order, which decides who shares a transaction with it.
 *
 * - `certain`: its validity is a pure function of signed data and balances (ECDSA signature, no hooks).
 * - `split`: the same, but a settlement with it failed since its last fill, without its fault. It shares no transaction
 *   with another owner's order, so that each hostile companion costs it one attempt at most.
 * - `uncertain`: its validity depends on code (EIP-1271, pre-signature, hooks, wrappers, loans), or a settlement failed
 *   because of it. It shares no transaction with another owner's order, and waits for the certain ones of its pair.
 *
 * The class depends on nothing that a fresh account can bring along, so a new account gains nothing from being new.
 */
export type Certainty = 'certain' | 'split' | 'uncertain'

export const computeCertainty = ({ order, funding, settlementFailures }: Candidate): Certainty => {
  const isEcdsa = order.signingScheme === 'eip712' || order.signingScheme === 'ethsign'
  const hasCode = order.preInteractions.length + order.postInteractions.length > 0 || funding !== null
  if (!isEcdsa || hasCode || (settlementFailures?.failures ?? 0) > 0) return 'uncertain'
  return settlementFailures ? 'split' : 'certain'
}
