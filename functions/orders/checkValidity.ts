import { ApiError } from '#shared/http/errors.ts'
import type { OrderCreation } from './orderCreation.ts'

const minSeconds = 60
const maxSeconds = 31_536_000

/**
 * An order lives at least a minute, so that an auction can take it, and at most a year. A presign order may wait longer
 * for its signature on-chain, so it has no upper bound.
 * @param now Unix seconds
 * @throws ApiError `OrderExpired`, `InsufficientValidTo`, `ExcessiveValidTo`
 */
export const checkValidity = (
  { validTo, signingScheme }: Pick<OrderCreation, 'validTo' | 'signingScheme'>,
  now: number,
): void => {
  if (validTo < now) throw new ApiError('OrderExpired', { data: { validTo, now } })
  const earliest = now + minSeconds
  if (validTo < earliest) throw new ApiError('InsufficientValidTo', { data: { validTo, earliest } })
  const latest = now + maxSeconds
  if (signingScheme !== 'presign' && validTo > latest) {
    throw new ApiError('ExcessiveValidTo', { data: { validTo, latest } })
  }
}
