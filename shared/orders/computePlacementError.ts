import type { Address } from 'viem'
import { type Network, nativeSentinel } from '../networks.ts'
import type { Order } from '../signing/order.ts'
import { hasAcceptedFee, type OfferedQuote } from './checkSignedFee.ts'
import { findLosingReceiver, type PassingOn } from './orderChecks.ts'
import type { PlacementError } from './storedOrder.ts'

/**
 * Why an on-chain order is not tradable: POST orders would reject its terms. A sell order may have a buy amount of 0,
 * because its sender has paid for the placement.
 * @param appData null: not known yet
 * @param quote stored quote named by the placement, whose fee the order may sign
 */
export const computePlacementError = (
  order: Order,
  network: Pick<Network, 'wrappedNative' | 'settlementContract' | 'vaultRelayer'>,
  unsupportedTokens: ReadonlySet<Address>,
  appData: PassingOn | null,
  quote: OfferedQuote | undefined,
  placedAt: Date,
): Exclude<PlacementError, 'reorged'> | null => {
  const { sellToken, buyToken, sellAmount, buyAmount, kind } = order
  if (unsupportedTokens.has(sellToken) || unsupportedTokens.has(buyToken)) return 'preValidationError'
  if (sellToken === nativeSentinel || sellToken === buyToken) return 'other'
  if (sellToken === network.wrappedNative && buyToken === nativeSentinel) return 'other'
  if (findLosingReceiver(order, network, appData)) return 'other'
  if (order.sellTokenBalance !== 'erc20' || order.buyTokenBalance !== 'erc20') return 'other'
  if (sellAmount === 0n || (kind === 'buy' && buyAmount === 0n)) return 'other'
  return hasAcceptedFee(order, quote ?? null, placedAt.getTime() / 1_000) ? null : 'nonZeroFee'
}
