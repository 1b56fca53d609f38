import type { ExceededBound } from '#schema/queries/orders/orderBounds.ts'
import { ApiError, type ErrorType } from '#shared/http/errors.ts'

const refusals: Record<ExceededBound['field'], { errorType: ErrorType; description: (limit: number) => string }> = {
  limitOrders: {
    errorType: 'TooManyLimitOrders',
    description: (limit) => `an owner may have ${limit} open orders outside the market price; cancel one of them first`,
  },
  openOrders: {
    errorType: 'TooManyLimitOrders',
    description: (limit) => `an owner may have ${limit} open orders; cancel one of them first`,
  },
  unsignedOfClient: {
    errorType: 'TooManyUnsignedOrders',
    description: (limit) =>
      `a client may have ${limit} presign orders without a pre-signature; sign one of them on-chain first`,
  },
  unsignedOrders: {
    errorType: 'TooManyUnsignedOrders',
    description: (limit) =>
      `this network has ${limit} presign orders without a pre-signature; sign this order on-chain and send it again`,
  },
}

/** @throws ApiError `TooManyLimitOrders`, `TooManyUnsignedOrders` */
export const checkBounds = (exceeded: ExceededBound | null): void => {
  if (!exceeded) return
  const { field, limit, open } = exceeded
  const { errorType, description } = refusals[field]
  throw new ApiError(errorType, { description: description(limit), data: { field, limit, open } })
}
