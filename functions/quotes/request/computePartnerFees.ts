import type { PartnerFee } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { QuoteRequest } from './quoteRequest.ts'

/** A partner fee without its recipient, which does not affect the amounts. */
export type QuotedPartnerFee = Pick<PartnerFee, 'kind' | 'bps' | 'maxVolumeBps'>

/**
 * Partner fees that the limit of the quoted order includes: those of the app data document, or `partnerFeeBps` of the
 * request when the document has no volume fee. Both state the same fee, so they are never added.
 * @throws ApiError `InvalidParameter` when the document's volume fee differs from `partnerFeeBps`
 */
export const computePartnerFees = (
  { partnerFeeBps }: Pick<QuoteRequest, 'partnerFeeBps'>,
  { partnerFees }: { partnerFees: readonly QuotedPartnerFee[] },
): QuotedPartnerFee[] => {
  if (partnerFeeBps === undefined) return [...partnerFees]
  const volumeFees = partnerFees.filter(({ kind }) => kind === 'volume')
  if (volumeFees.length === 0) return [...partnerFees, { kind: 'volume', bps: partnerFeeBps, maxVolumeBps: null }]
  const charged = volumeFees.reduce((sum, { bps }) => sum + bps, 0)
  if (charged === partnerFeeBps) return [...partnerFees]
  throw new ApiError('InvalidParameter', {
    description: `partnerFeeBps: ${partnerFeeBps} differs from the fee on the volume in appData, which is ${charged}`,
    data: { field: 'partnerFeeBps', expected: `${charged}, as metadata.partnerFee of appData`, got: partnerFeeBps },
  })
}
