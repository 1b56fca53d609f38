import {
  computeAllowance,
  computeBalance,
  computeDust,
  computeHooks,
  computeTransferability,
} from './computeFunding.ts'
import { computePermission, computeSignature, computeTokens } from './computePermission.ts'
import { computePrice } from './computePrice.ts'
import { computeExpiry, computeSettlement, computeState, computeTime } from './computeStanding.ts'
import { type FaultCode, type Finding, faults, type VerdictCheck, verdictChecks } from './finding.ts'
import type { VerdictFacts } from './verdictFacts.ts'

const rules: Record<VerdictCheck, (facts: VerdictFacts) => Finding> = {
  state: computeState,
  expiry: computeExpiry,
  time: computeTime,
  permission: computePermission,
  tokens: computeTokens,
  settlement: computeSettlement,
  signature: computeSignature,
  hooks: computeHooks,
  balance: computeBalance,
  allowance: computeAllowance,
  transferability: computeTransferability,
  dust: computeDust,
  price: computePrice,
}

/** A check of the verdict that failed. */
export type Failure = Finding & { status: 'fail' }

/**
 * The one judgement of an order: whether it can be settled now, and if not, why. Placing an order, the dry run, the cut of an
 * auction and the diagnosis all use it, each with the facts that it has. A fact that is not known speaks against no order.
 * @returns one finding for each check, in the order of `verdictChecks`
 */
export const computeVerdict = (facts: VerdictFacts): Finding[] => verdictChecks.map((check) => rules[check](facts))

/** The first of some checks that keeps an order out of auctions; the checks behind it are not computed. */
export const computeExclusion = (facts: VerdictFacts, checks: readonly VerdictCheck[]): Failure | undefined => {
  for (const check of checks) {
    const finding = rules[check](facts)
    if (isFailure(finding) && !finding.isListed) return finding
  }
  return undefined
}

/** The reason why an order is not filled: what keeps it out of auctions, else what keeps solvers from filling it. */
export const findReason = (findings: readonly Finding[]): Failure | undefined => {
  const failures = findings.filter(isFailure)
  return failures.find(({ isListed }) => !isListed) ?? failures[0]
}

/** Under which name auctions log a failure, and the diagnosis explains it. */
export const toCode = ({ reason }: Failure): FaultCode => faults[reason].code

const isFailure = (finding: Finding): finding is Failure => finding.status === 'fail'
