import { useState } from 'preact/hooks'
import { type AcceptedLoss, findLossGuard } from '../signing/findLossGuard.ts'
import { findSignedRisks } from '../signing/findSignedRisks.ts'

/**
 * Possible losses by signing, and the trader's acceptance of the largest.
 * @param signed undefined: nothing can be signed
 * @param terms what an acceptance belongs to
 */
export const useLosses = (
  signed: Parameters<typeof findSignedRisks>[0] | undefined,
  terms: string,
  isUncapped: boolean,
) => {
  const [accepted, setAccepted] = useState<AcceptedLoss | null>(null)
  const risks = signed ? findSignedRisks(signed) : []
  const share = Math.max(0, ...risks.map((risk) => risk.share))
  const guard = findLossGuard(share, terms, { accepted, isUncapped })
  return { risks, share, guard, accept: () => setAccepted({ terms, share }) }
}
