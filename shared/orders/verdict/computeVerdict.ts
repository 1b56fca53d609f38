import {
  computeAllowance,
  computeBalance,
  computeDust,
  computeHooks,
  computeTransferability,
} from './computeFunding.ts'
import { computePermission, computeSignature, computeTokens } from './computePermission.ts'
import { computePrice } from './computePrice.ts'
import { computePayout, computeSupport } from './computeSettling.ts'
import { computeExpiry, computeSettlement, computeState, computeTime } from './computeStanding.ts'
import { type FaultCode, type Finding, faults, type VerdictCheck, verdictChecks } from './finding.ts'
import type { ChainFacts } from './verdictFacts.ts'

const rules = {
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
  payout: computePayout,
  solvers: computeSupport,
  dust: computeDust,
  price: computePrice,
} satisfies Record<VerdictCheck, Check>

/** A check of the verdict; its parameter names the facts that it reads. */
type Check = (facts: never) => Finding

/** Facts that some checks read, the intersection of the parameters. */
type FactsOf<Checks extends readonly Check[]> = Checks[number] extends (facts: infer Facts) => Finding ? Facts : never

/** Facts that the whole verdict depends on. */
export type VerdictFacts = FactsOf<(typeof rules)[VerdictCheck][]> & {
  /** `chain` in the block after it; undefined: not looked up */
  chainAfter?: ChainFacts | undefined
}

/** A check of the verdict that failed. */
export type Failure = Finding & { status: 'fail' }

/**
 * The one judgement of an order: whether it can be settled now, and if not, why. Placing an order, the dry run, the cut of an
 * auction and the diagnosis all use its checks, each with the facts that it has. A fact that was not looked up excludes no order.
 *
 * Contracts may decide by the block: wallets, hooks, tokens, receivers. What holds in one of two consecutive blocks only lets no
 * order settle reliably, so the worse finding counts, and its evidence names the block. Two blocks prove nothing about a third.
 * @returns one finding for each check, in the order of `verdictChecks`
 */
export const computeVerdict = ({ chainAfter, ...facts }: VerdictFacts): Finding[] =>
  verdictChecks.map((check) => {
    const finding = rules[check](facts)
    if (!chainAfter) return finding
    const after = rules[check]({ ...facts, chain: chainAfter })
    if (after.status === finding.status) return finding
    const isLater = badness[after.status] > badness[finding.status]
    const worse = isLater ? after : finding
    const { block } = chainAfter
    if (block === undefined) return worse
    return { ...worse, evidence: { ...worse.evidence, block: isLater ? block : block - 1 } }
  })

const badness = { pass: 0, skipped: 1, fail: 2 } satisfies Record<Finding['status'], number>

/** Findings of some checks, in their order, from the facts that these checks read. */
export const computeFindings = <const Checks extends readonly Check[]>(
  checks: Checks,
  facts: FactsOf<Checks>,
): Finding[] => checks.map((check) => check(facts as never))

/** The first of some checks that excludes an order from auctions; those after it are not computed. */
export const computeExclusion = <const Checks extends readonly Check[]>(
  checks: Checks,
  facts: FactsOf<Checks>,
): Failure | undefined => {
  for (const check of checks) {
    const finding = check(facts as never)
    if (isFailure(finding) && !finding.isListed) return finding
  }
  return undefined
}

/** The reason why an order is not filled: the check that excludes it from auctions, else the one that stops solvers. */
export const findReason = (findings: readonly Finding[]): Failure | undefined => {
  const failures = findings.filter(isFailure)
  return failures.find(({ isListed }) => !isListed) ?? failures[0]
}

/** Under which name auctions log a failure, and the diagnosis explains it. */
export const toCode = ({ reason }: Failure): FaultCode => faults[reason].code

const isFailure = (finding: Finding): finding is Failure => finding.status === 'fail'
