import type { Address } from 'viem'
import type { ParsedAppData } from '../appData/parseAppData.ts'
import { ApiError } from '../http/errors.ts'
import { computeExpectedOwner } from './computeExpectedOwner.ts'
import type { OrderCreation } from './orderCreation.ts'

const minSeconds = 60

/**
 * Checks an order against its app data document: the named signer owns the order, there is time for an auction between
 * `validFrom` and `validTo`, and only an ECDSA-signed order replaces another one.
 * @throws ApiError `AppdataFromMismatch`, `InvalidSignature`, `InvalidValidFrom`
 */
export const checkAppData = (
  { from, signingScheme, validTo }: Pick<OrderCreation, 'from' | 'signingScheme' | 'validTo'>,
  owner: Address,
  { signer, validFrom, replacedOrder }: ParsedAppData,
): void => {
  const expected = computeExpectedOwner(from, signer) ?? owner
  if (expected !== owner) throw new ApiError('InvalidSignature', { data: { signer: owner, expected } })
  if (validFrom !== null && validTo < validFrom + minSeconds) {
    throw new ApiError('InvalidValidFrom', { data: { validFrom, validTo, earliest: validFrom + minSeconds } })
  }
  if (replacedOrder && (signingScheme === 'presign' || signingScheme === 'eip1271')) {
    throw new ApiError('InvalidSignature', {
      description: 'only an order signed with eip712 or ethsign can replace another order',
      data: { signingScheme, replacedOrder },
    })
  }
}
