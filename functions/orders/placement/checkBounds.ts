import type { ExceededBound } from '#schema/queries/orders/orderBounds.ts'
import type { ErrorType } from '#shared/http/errorCatalogue.ts'
import { ApiError } from '#shared/http/errors.ts'

const refusals: Record<ExceededBound['field'], { errorType: ErrorType; description: (limit: number) => string }> = {
  limitOrders: {
    errorType: 'TooManyLimitOrders',
    description: (limit) =>
      `the limit is ${limit} open orders outside the market price per owner; cancel one of them first`,
  },
  openOrders: {
    errorType: 'TooManyLimitOrders',
    description: (limit) => `the limit is ${limit} open orders per owner; cancel one of them first`,
  },
  unsignedOfClient: {
    errorType: 'TooManyUnsignedOrders',
    description: (limit) =>
      `the limit is ${limit} presign orders without a pre-signature per client; sign one of them on-chain first`,
  },
  unsignedOrders: {
    errorType: 'TooManyUnsignedOrders',
    description: (limit) =>
      `this network has reached its limit of ${limit} presign orders without a pre-signature; sign this order on-chain and submit it again`,
  },
}

/** @throws ApiError `TooManyLimitOrders`, `TooManyUnsignedOrders` */
export const checkBounds = (exceeded: ExceededBound | null): void => {
  if (!exceeded) return
  const { field, limit, open } = exceeded
  const { errorType, description } = refusals[field]
  throw new ApiError(errorType, { description: description(limit), data: { field, limit, open } })
}
