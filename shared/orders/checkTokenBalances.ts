import { ApiError } from '../http/errors.ts'
import type { Order } from '../signing/order.ts'

/**
 * Checks that an order uses plain ERC-20 balances; balances inside Balancer's Vault are not supported.
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
