import type { ParsedAppData } from '#shared/appData/parseAppData.ts'
import { computeFunding } from '#shared/funding/computeFunding.ts'
import { findFundingFacts } from '#shared/funding/findFundingFacts.ts'
import type { Funding } from '#shared/funding/fundingSchema.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { computeRemainder } from './computeRemainder.ts'
import type { SimulationDeps } from './dryRunDeps.ts'
import { toPreInteractions } from './findVerdictFacts.ts'
import type { ReadDraft } from './readDraft.ts'

const timeoutMs = 4_000

/** The owner's funds for a draft, or for the rest of a placed order, and the steps until it can settle. */
export const findFunding = async (
  deps: SimulationDeps,
  { order, owner, uid }: ReadDraft,
  stored: StoredOrder | null,
  parsedAppData: ParsedAppData | null,
): Promise<Funding | null> => {
  if (!owner) return null
  const { sellToken, signingScheme, validTo } = order
  const remaining = computeRemainder(order, stored)
  const needed = remaining.sellAmount + remaining.feeAmount
  const preInteractions = toPreInteractions(deps, stored, parsedAppData)
  const signal = AbortSignal.timeout(timeoutMs)
  const findFacts = await findFundingFacts(deps, { owner, sellToken, preInteractions }, signal)
  if (!findFacts) return null
  return computeFunding(
    deps.network,
    { owner, sellToken, needed, signingScheme, validTo, uid },
    await findFacts(needed),
  )
}
