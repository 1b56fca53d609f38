import { nativeSentinel } from '#shared/networks.ts'
import { toContractSignature } from '#shared/signing/toContractSignature.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'

/** Whether this solver supports the order at all, independent of its price. */
export const isSettleable = (order: AuctionOrder, nowMs: number): boolean =>
  order.sellTokenBalance === 'erc20' &&
  order.buyTokenBalance === 'erc20' &&
  order.sellToken !== order.buyToken &&
  order.sellToken !== nativeSentinel &&
  order.sellAmount > 0n &&
  order.buyAmount > 0n &&
  (order.userValidTo ?? order.validTo) * 1000 > nowMs &&
  isEncodable(order)

const isEncodable = ({ signingScheme, owner, signature }: AuctionOrder): boolean => {
  try {
    toContractSignature(signingScheme, owner, signature)
    return true
  } catch {
    return false
  }
}
