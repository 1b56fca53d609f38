import { ApiError } from '#shared/http/errors.ts'
import { computeOrderStatus, type StatusFacts } from '#shared/orders/computeOrderStatus.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'

/**
 * Checks that an order can be cancelled or replaced by a signature of its owner: it is open, and an ECDSA key signed
 * it. Orders authorised on-chain (`presign`, `eip1271`) must be cancelled there. Partially filled orders can be
 * cancelled.
 * @param now Unix seconds
 * @throws ApiError `OnChainOrder`, `OrderFullyExecuted`, `AlreadyCancelled`, `OrderExpired`
 */
export const checkCancellable = (order: StatusFacts & Pick<StoredOrder, 'uid'>, now: number): void => {
  const { uid, signingScheme } = order
  const validTo = order.userValidTo ?? order.validTo
  switch (computeOrderStatus(order, now)) {
    case 'fulfilled':
      throw new ApiError('OrderFullyExecuted', { data: { uid } })
    case 'cancelled':
      throw new ApiError('AlreadyCancelled', {
        data: { uid, cancelledAt: order.cancelledAt?.toISOString() ?? null, onChain: order.invalidated },
      })
    case 'expired':
      throw new ApiError('OrderExpired', { data: { uid, validTo, now } })
    case 'presignaturePending':
      throw new ApiError('OnChainOrder', { data: { uid, signingScheme } })
    case 'open':
      if (signingScheme === 'presign' || signingScheme === 'eip1271') {
        throw new ApiError('OnChainOrder', { data: { uid, signingScheme } })
      }
  }
}
