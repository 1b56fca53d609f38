import type { Address } from 'viem'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import type { PlacementError } from '#shared/orders/storedOrder.ts'
import type { Order } from '#shared/signing/order.ts'

/**
 * Why an order that is on the chain already is none to trade: POST orders would refuse its terms. A sell order may ask for
 * nothing at all, as whoever placed it there has paid for it.
 */
export const computePlacementError = (
  order: Order,
  { wrappedNative }: Pick<Network, 'wrappedNative'>,
  unsupportedTokens: ReadonlySet<Address>,
): Exclude<PlacementError, 'reorged'> | null => {
  const { sellToken, buyToken, sellAmount, buyAmount, kind } = order
  if (unsupportedTokens.has(sellToken) || unsupportedTokens.has(buyToken)) return 'preValidationError'
  if (sellToken === nativeSentinel || sellToken === buyToken) return 'other'
  if (sellToken === wrappedNative && buyToken === nativeSentinel) return 'other'
  if (order.sellTokenBalance !== 'erc20' || order.buyTokenBalance !== 'erc20') return 'other'
  if (sellAmount === 0n || (kind === 'buy' && buyAmount === 0n)) return 'other'
  return order.feeAmount === 0n ? null : 'nonZeroFee'
}
