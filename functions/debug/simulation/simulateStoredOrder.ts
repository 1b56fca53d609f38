import type { Hex } from 'viem'
import { type DryRunFacts, selectStoredDryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { computeVerdict } from '#shared/orders/verdict/computeVerdict.ts'
import type { Finding } from '#shared/orders/verdict/finding.ts'
import type { DryRun, OrderDraft } from './dryRun.ts'
import type { DryRunDeps } from './dryRunDeps.ts'
import { computeFillableNow, type FillableNow } from './fillableNow.ts'
import { findVerdictFacts } from './findVerdictFacts.ts'
import { readDocument } from './readDocument.ts'
import { readDraft } from './readDraft.ts'
import { simulateOrder } from './simulateOrder.ts'

/**
 * Simulates the remainder of a placed order.
 * @throws ApiError `NotFound`
 */
export const simulateStoredOrder = async (deps: DryRunDeps, uid: Hex): Promise<DryRun> => {
  const facts = await findStoredFacts(deps, uid)
  if (!facts.stored) throw new ApiError('NotFound', { description: 'order not found', data: { uid } })
  return simulateOrder(deps, readDraft(deps, toDraft(facts.stored)), facts)
}

export type StoredVerdict = { findings: readonly Finding[]; fillableNow: FillableNow }

/** Verdict on the remainder of a placed order; undefined when the order no longer exists. */
export const findStoredVerdict = async (deps: DryRunDeps, uid: Hex): Promise<StoredVerdict | undefined> => {
  const facts = await findStoredFacts(deps, uid)
  if (!facts.stored) return undefined
  const draft = readDraft(deps, toDraft(facts.stored))
  const known = await findVerdictFacts(deps, draft, facts, readDocument(draft, facts).parsedAppData)
  const findings = computeVerdict(known)
  const isFillable = findings.every(({ status }) => status !== 'fail')
  return { findings, fillableNow: computeFillableNow(isFillable, known.executable) }
}

const findStoredFacts = ({ database, network }: DryRunDeps, uid: Hex): Promise<DryRunFacts> =>
  selectStoredDryRunFacts(database, network.chainId, network.wrappedNative, uid)

/** The order signs the hash; its document is part of the facts. */
export const toDraft = (order: StoredOrder): OrderDraft => ({ ...order, from: order.owner, appData: order.appDataHash })
