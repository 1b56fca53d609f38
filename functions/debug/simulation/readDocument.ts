import type { DryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import { type ParsedAppData, parseAppData } from '#shared/appData/parseAppData.ts'
import { checkAppData } from '#shared/orders/checkAppData.ts'
import { checkReceiver } from '#shared/orders/orderChecks.ts'
import { type Check, failCheck, skipCheck, toCheck } from './check.ts'
import type { ReadDraft } from './readDraft.ts'

/** Parses the document and checks that the order matches it. An order placed by a contract may lack its document. */
export const readDocument = (
  { order, network, owner, appData, appDataHash, parsedAppData: sent }: ReadDraft,
  { stored, fullAppData }: DryRunFacts,
): { appData: Check; parsedAppData: ParsedAppData | null } => {
  if (appData?.status === 'fail') return { appData, parsedAppData: null }
  const parsedAppData = sent ?? (fullAppData === null ? null : parseAppData(fullAppData))
  const evidence = { appDataHash }
  if (!parsedAppData) {
    const check = stored
      ? skipCheck('appData', 'unknownDocument', evidence)
      : failCheck('appData', 'InvalidAppData', evidence)
    return { appData: check, parsedAppData }
  }
  const check = toCheck('appData', () => {
    // without the document a loan could pass the bought tokens on
    if (!sent && !stored) checkReceiver(order, network, parsedAppData)
    if (owner) checkAppData(order, owner, parsedAppData)
    return evidence
  })
  return { appData: check, parsedAppData }
}
