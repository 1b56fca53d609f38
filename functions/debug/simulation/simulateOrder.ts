import type { DryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import { computeVerdict } from '#shared/orders/verdict/computeVerdict.ts'
import { type Finding, toPublicReason } from '#shared/orders/verdict/finding.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { type Check, failCheck } from './check.ts'
import type { DryRun } from './dryRun.ts'
import type { SimulationDeps } from './dryRunDeps.ts'
import { computeFillableNow } from './fillableNow.ts'
import { findFunding } from './findFunding.ts'
import { findVerdictFacts } from './findVerdictFacts.ts'
import { readDocument } from './readDocument.ts'
import type { ReadDraft } from './readDraft.ts'
import { toShapeCheck } from './toShapeCheck.ts'

/** Tries every check of a draft, or of the remainder of a placed order. */
export const simulateOrder = async (deps: SimulationDeps, draft: ReadDraft, facts: DryRunFacts): Promise<DryRun> => {
  const { appData, parsedAppData } = readDocument(draft, facts)
  const known = await findVerdictFacts(deps, draft, facts, parsedAppData)
  // one after the other: together they would need more connections than an invocation has
  const funding = await findFunding(deps, draft, facts.stored, parsedAppData)
  const shape = facts.stored ? draft.shape : toShapeCheck(draft, facts, toUnixSeconds(deps.now()))
  const checks = [shape, appData, ...computeVerdict(known).map((finding) => toDraftCheck(draft, finding))]
  const fillable = checks.every(({ status }) => status !== 'fail')
  return {
    fillable,
    fillableNow: computeFillableNow(fillable, known.executable),
    orderUid: draft.uid,
    block: typeof known.block === 'number' ? known.block : null,
    funding,
    checks,
  }
}

/** The signature of a draft is checked without the chain when it can be. */
const toDraftCheck = (draft: ReadDraft, finding: Finding): Check => {
  const { check, evidence } = finding
  if (check === 'signature' && draft.signature) return draft.signature
  return finding.status === 'fail' ? failCheck(check, toPublicReason(finding.reason), evidence) : finding
}
