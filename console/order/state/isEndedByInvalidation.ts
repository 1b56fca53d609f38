import type { Order } from '../loading/loadOrder.ts'

type Facts = Pick<Order, 'status' | 'signingScheme' | 'onchainUser'>

/**
 * Whether only `invalidateOrder` of the settlement contract, called by the owner, cancels an order. The API cancels those
 * with a signature of an account; one placed on-chain belongs to a contract that cancels it in its own way.
 */
export const isEndedByInvalidation = ({ status, signingScheme, onchainUser }: Facts): boolean =>
  (status === 'open' || status === 'presignaturePending') &&
  onchainUser === undefined &&
  (signingScheme === 'presign' || signingScheme === 'eip1271')
