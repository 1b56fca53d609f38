import { shorten } from '../../ui/shorten.ts'
import type { Order } from '../loading/loadOrder.ts'

type Facts = Pick<Order, 'owner' | 'signingScheme' | 'onchainUser' | 'ethflowData'>

/**
 * Explains how to cancel an order that the API cannot cancel. The API accepts cancellations signed like the order, so
 * none for orders authorised by a contract or a transaction.
 * @returns undefined when the API can cancel it
 */
export const describeOnchainCancel = ({
  owner,
  signingScheme,
  onchainUser,
  ethflowData,
}: Facts): string | undefined => {
  const contract = shorten(owner)
  if (onchainUser !== undefined) {
    const user = shorten(onchainUser)
    return ethflowData
      ? `${user}, who sells the native token, can cancel it on-chain by invalidateOrder of ${contract}, the ETH-flow contract.`
      : `${user}, who placed it on-chain, can cancel it by a transaction to ${contract}, the contract that owns it.`
  }
  if (signingScheme === 'eip712' || signingScheme === 'ethsign') return undefined
  return `${contract}, which owns it, can cancel it on-chain by invalidateOrder of the settlement contract.`
}
