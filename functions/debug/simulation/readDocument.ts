import type { DryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import { type ParsedAppData, parseAppData } from '#shared/appData/parseAppData.ts'
import { checkAppData } from '#shared/orders/checkAppData.ts'
import { type Check, failCheck, skipCheck, toCheck } from './check.ts'
import type { ReadDraft } from './readDraft.ts'

/** Parses the document and checks that the order matches it. An order placed by a contract may lack its document. */
export const readDocument = (
  { order, owner, appData, appDataHash, meaning: sent }: ReadDraft,
  { stored, fullAppData }: DryRunFacts,
): { appData: Check; meaning: ParsedAppData | null } => {
  if (appData?.status === 'fail') return { appData, meaning: null }
  const meaning = sent ?? (fullAppData === null ? null : parseAppData(fullAppData))
  const evidence = { appDataHash }
  if (!meaning) {
    const check = stored
      ? skipCheck('appData', 'unknownDocument', evidence)
      : failCheck('appData', 'InvalidAppData', evidence)
    return { appData: check, meaning }
  }
  const check = toCheck('appData', () => {
    if (owner) checkAppData(order, owner, meaning)
    return evidence
  })
  return { appData: check, meaning }
}
