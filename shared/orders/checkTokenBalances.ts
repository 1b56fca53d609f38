import { ApiError } from '../http/errors.ts'
import type { Order } from '../signing/order.ts'

/**
 * Only plain ERC-20 balances are traded; balances inside Balancer's Vault are not.
 * @throws ApiError `UnsupportedBuyTokenDestination`, `UnsupportedSellTokenSource`
 */
export const checkTokenBalances = (order: Pick<Order, 'sellTokenBalance' | 'buyTokenBalance'>): void => {
  if (order.buyTokenBalance !== 'erc20') {
    throw new ApiError('UnsupportedBuyTokenDestination', { data: { got: order.buyTokenBalance } })
  }
  if (order.sellTokenBalance !== 'erc20') {
    throw new ApiError('UnsupportedSellTokenSource', { data: { got: order.sellTokenBalance } })
  }
}
