import { ApiError } from '../http/errors.ts'

const defaultSeconds = 60

/**
 * An order lives for some time, so that an auction can take it.
 * @param now Unix seconds
 * @param minSeconds least rest of validity
 * @throws ApiError `OrderExpired`, `InsufficientValidTo`
 */
export const checkExpiry = (validTo: number, now: number, minSeconds = defaultSeconds): void => {
  if (validTo < now) throw new ApiError('OrderExpired', { data: { validTo, now } })
  const earliest = now + minSeconds
  if (validTo < earliest) throw new ApiError('InsufficientValidTo', { data: { validTo, earliest } })
}
