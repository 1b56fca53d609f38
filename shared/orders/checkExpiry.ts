import { ApiError } from '../http/errors.ts'

const minSeconds = 60

/**
 * An order lives at least a minute, so that an auction can take it.
 * @param now Unix seconds
 * @throws ApiError `OrderExpired`, `InsufficientValidTo`
 */
export const checkExpiry = (validTo: number, now: number): void => {
  if (validTo < now) throw new ApiError('OrderExpired', { data: { validTo, now } })
  const earliest = now + minSeconds
  if (validTo < earliest) throw new ApiError('InsufficientValidTo', { data: { validTo, earliest } })
}
