import type { OrderState } from '#schema/queries/fragments/statusColumns.ts'
import type { SigningScheme } from '#shared/signing/signingScheme.ts'

/**
 * Returns whether a submission with this scheme may take over the row of an existing order that lacks authorization: `presign`
 * without a pre-signature, or an on-chain placement that a reorganisation undid. A pre-check only: the insert decides
 * once the row is locked (`canTakeOverRow` of its query).
 */
export const canTakeOver = (existing: OrderState, scheme: SigningScheme): boolean => {
  if (existing.cancelledAt !== null || existing.invalidated) return false
  if (existing.placementError === 'reorged') return true
  return existing.signingScheme === 'presign' && !existing.presigned && scheme !== 'presign'
}
