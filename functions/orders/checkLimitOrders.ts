import { ApiError } from '#shared/http/errors.ts'

/**
 * An owner may have only so many orders open that wait for a better price than their quote.
 * @param open how many there are
 * @throws ApiError `TooManyLimitOrders`
 */
export const checkLimitOrders = (open: number, max: number): void => {
  if (open >= max) throw new ApiError('TooManyLimitOrders', { data: { open, max } })
}
