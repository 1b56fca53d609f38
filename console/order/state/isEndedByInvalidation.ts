import type { Order } from '../loading/loadOrder.ts'

type Facts = Pick<Order, 'status' | 'signingScheme' | 'onchainUser'>

/**
 * Returns true for an order that only its owner can cancel, by `invalidateOrder` of the settlement contract. The API
 * cancels orders with a signature of an account; an order placed on-chain belongs to a contract that cancels it in its
 * own way.
 */
export const isEndedByInvalidation = ({ status, signingScheme, onchainUser }: Facts): boolean =>
  (status === 'open' || status === 'presignaturePending') &&
  onchainUser === undefined &&
  (signingScheme === 'presign' || signingScheme === 'eip1271')
