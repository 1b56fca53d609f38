import type { OrderState } from '#schema/queries/fragments/statusColumns.ts'
import type { SigningScheme } from '#shared/signing/signingScheme.ts'

/**
 * Whether a submission with this scheme may take over the row of an existing order, as far as this is known before the row is
 * locked; the insert decides (`canTakeOver` of its query). Nothing authorises the row: it is `presign` without a pre-signature, or
 * a reorganisation undid its placement.
 */
export const canTakeOver = (existing: OrderState, scheme: SigningScheme): boolean => {
  if (existing.cancelledAt !== null || existing.invalidated) return false
  if (existing.placementError === 'reorged') return true
  return existing.signingScheme === 'presign' && !existing.presigned && scheme !== 'presign'
}
