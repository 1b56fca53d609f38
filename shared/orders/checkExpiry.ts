import { ApiError } from '../http/errors.ts'

/**
 * Checks that an order stays valid long enough for an auction.
 * @param now Unix seconds
 * @param minSeconds minimum remaining validity, `MIN_VALIDITY_SECONDS`
 * @throws ApiError `OrderExpired`, `InsufficientValidTo`
 */
export const checkExpiry = (validTo: number, now: number, minSeconds: number): void => {
  if (validTo < now) throw new ApiError('OrderExpired', { data: { validTo, now } })
  const earliest = now + minSeconds
  if (validTo < earliest) throw new ApiError('InsufficientValidTo', { data: { validTo, earliest } })
}
