import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { computeExclusion, toCode } from '#shared/orders/verdict/computeVerdict.ts'
import { type FaultCode, faults, type VerdictCheck } from '#shared/orders/verdict/finding.ts'
import { buildVerdictFacts, type CutFacts, type TradingRules } from './buildVerdictFacts.ts'

/**
 * Why an auction excludes an order: `invalid` cannot settle now, `filtered` could settle but is left out. `data` has
 * the underlying numbers, amounts in atoms as decimal strings.
 */
export type Exclusion = { data: JsonObject | null; label: 'invalid' | 'filtered'; reason: FaultCode }

/** One step of the verdict (`computeVerdict`) with the facts known at that point of the cut. */
export const exclude = (
  candidate: Candidate,
  facts: CutFacts,
  ...checks: readonly VerdictCheck[]
): Exclusion | undefined => {
  const failure = computeExclusion(buildVerdictFacts(candidate, facts), checks)
  if (!failure) return undefined
  const { label } = faults[failure.reason]
  return { label, reason: toCode(failure), data: failure.reason === 'InFlight' ? null : failure.evidence }
}

/** Exclusions that depend on the order alone. An order in flight is always excluded. */
export const computeStaticExclusion = (candidate: Candidate, rules: TradingRules): Exclusion | undefined =>
  exclude(candidate, { rules }, 'state', 'permission', 'tokens')

/** Excludes orders without their pre-signature, and those whose owner's contract no longer accepts the signature. */
export const computeSignatureExclusion = (
  candidate: Candidate,
  refused: ReadonlySet<Candidate['order']['uid']>,
): Exclusion | undefined =>
  exclude(candidate, refused.has(candidate.order.uid) ? { chain: { isSigned: false } } : {}, 'signature')
