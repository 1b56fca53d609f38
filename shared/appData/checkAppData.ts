import type { Address } from 'viem'
import { ApiError } from '../http/errors.ts'
import { computeExpectedOwner } from '../orders/computeExpectedOwner.ts'
import type { OrderCreation } from '../orders/orderCreation.ts'
import type { AppDataMeaning } from './parseAppData.ts'

const minSeconds = 60

/**
 * What the order signs must fit what its document says: the signer it names owns the order, an auction can take it in the
 * time between `validFrom` and `validTo`, and only an owner who signed by ECDSA replaces an order.
 * @throws ApiError `AppdataFromMismatch`, `InvalidSignature`, `InvalidValidFrom`
 */
export const checkAppData = (
  { from, signingScheme, validTo }: Pick<OrderCreation, 'from' | 'signingScheme' | 'validTo'>,
  owner: Address,
  { signer, validFrom, replacedOrder }: AppDataMeaning,
): void => {
  const expected = computeExpectedOwner(from, signer) ?? owner
  if (expected !== owner) throw new ApiError('InvalidSignature', { data: { signer: owner, expected } })
  if (validFrom !== null && validTo < validFrom + minSeconds) {
    throw new ApiError('InvalidValidFrom', { data: { validFrom, validTo, earliest: validFrom + minSeconds } })
  }
  if (replacedOrder && (signingScheme === 'presign' || signingScheme === 'eip1271')) {
    throw new ApiError('InvalidSignature', {
      description: 'only a signature with eip712 or ethsign replaces an order',
      data: { signingScheme, replacedOrder },
    })
  }
}
