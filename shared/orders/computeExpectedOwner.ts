import type { Address } from 'viem'
import { ApiError } from '../http/errors.ts'

/**
 * Who the client says owns the order: `from`, or the signer that the app data names.
 * @returns undefined when it says nothing
 * @throws ApiError `AppdataFromMismatch`
 */
export const computeExpectedOwner = (from: Address | null | undefined, signer: Address | null): Address | undefined => {
  if (from && signer && from !== signer) throw new ApiError('AppdataFromMismatch', { data: { from, signer } })
  return from ?? signer ?? undefined
}
