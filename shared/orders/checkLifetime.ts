import { ApiError } from '../http/errors.ts'
import type { OrderCreation } from './orderCreation.ts'

const maxSeconds = 31_536_000

/**
 * Checks that an order expires within a year. Presign orders have no upper bound, because their on-chain signature may
 * take longer.
 * @param now Unix seconds
 * @throws ApiError `ExcessiveValidTo`
 */
export const checkLifetime = (
  { validTo, signingScheme }: Pick<OrderCreation, 'validTo' | 'signingScheme'>,
  now: number,
): void => {
  const latest = now + maxSeconds
  if (signingScheme !== 'presign' && validTo > latest) {
    throw new ApiError('ExcessiveValidTo', { data: { validTo, latest } })
  }
}
