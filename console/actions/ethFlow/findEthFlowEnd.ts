import type { EthFlowPlacement } from './toEthFlowOrder.ts'

/**
 * Returns the way in which an account can end its order that sells the native token: a cancellation while it is open,
 * or the refund of an expired one.
 * @param contract the contract for such orders of the network; no transaction goes to another one
 * @param account lower case
 * @returns undefined when there is nothing to end, or not by this account
 */
export const findEthFlowEnd = (
  order: EthFlowPlacement,
  contract: string,
  account: string,
): 'cancel' | 'refund' | undefined => {
  const { ethflowData, onchainUser, owner, status } = order
  if (!ethflowData || owner !== contract || onchainUser !== account) return undefined
  if (status === 'open') return 'cancel'
  return status === 'expired' && !ethflowData.isRefunded ? 'refund' : undefined
}
