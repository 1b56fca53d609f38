import { ApiError } from '../http/errors.ts'
import type { OrderCreation } from './orderCreation.ts'

const maxSeconds = 31_536_000

/**
 * An order lives at most a year. A presign order may wait longer for its signature on-chain, so it has no upper bound.
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
