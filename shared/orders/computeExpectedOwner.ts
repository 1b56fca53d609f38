import type { Address } from 'viem'
import { ApiError } from '../http/errors.ts'

/**
 * Owner stated by the client: `from`, or the signer in the app data.
 * @returns undefined when neither is given
 * @throws ApiError `AppdataFromMismatch`
 */
export const computeExpectedOwner = (from: Address | null | undefined, signer: Address | null): Address | undefined => {
  if (from && signer && from !== signer) throw new ApiError('AppdataFromMismatch', { data: { from, signer } })
  return from ?? signer ?? undefined
}
