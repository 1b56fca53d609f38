import { selectDryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import type { DryRun, OrderDraft } from './dryRun.ts'
import type { DryRunDeps } from './dryRunDeps.ts'
import { readDraft } from './readDraft.ts'
import { simulateOrder } from './simulateOrder.ts'

/**
 * Simulates an order that need not be placed or signed. Stores nothing. Takes one database round trip, one or two to
 * the chain, and a quote.
 */
export const simulateDraft = async (deps: DryRunDeps, order: OrderDraft): Promise<DryRun> => {
  const draft = readDraft(deps, order)
  const { uid, appDataHash } = draft
  const { chainId, wrappedNative } = deps.network
  const query = { ...order, uid, appDataHash, quoteId: order.quoteId ?? null }
  return simulateOrder(deps, draft, await selectDryRunFacts(deps.database, chainId, wrappedNative, query))
}
