import type { Network } from '../../networks/NetworksProvider.tsx'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import { useToken } from '../../tokens/useToken.ts'
import { shorten } from '../../ui/shorten.ts'
import type { Order } from '../loading/loadOrder.ts'
import { type Exchange, formatPrice, isBetterInverted } from './formatPrice.ts'
import { toHumanPrice } from './toHumanPrice.ts'

export type TokenPair = {
  /** addresses as they are shown: what a contract sells wrapped for somebody, that account paid in the native token */
  sell: string
  buy: string
  /** of rates, always the same way round: `USDC per WETH` */
  rateUnit: string
  /** `2,512.3`; undefined while decimals are not known */
  formatRate: (exchange: Exchange) => string | undefined
  /** the same for a price in atoms as the API writes it, always in buy tokens for one sell token */
  formatAtomsPrice: (price: string) => string | undefined
}

/** The two tokens of an order, and how prices between them are written. */
export const useTokenPair = (network: Network, order: Order): TokenPair => {
  const sell = order.onchainUser && order.sellToken === network.wrappedNative ? nativeSentinel : order.sellToken
  const buy = order.buyToken
  const [sellFacts, buyFacts] = [useToken(network, sell), useToken(network, buy)]
  const [sellName, buyName] = [sellFacts?.symbol ?? shorten(sell), buyFacts?.symbol ?? shorten(buy)]
  const isKnown = sellFacts?.decimals !== undefined && buyFacts?.decimals !== undefined
  const decimals = { sell: sellFacts?.decimals ?? 0, buy: buyFacts?.decimals ?? 0 }
  const limit = { sell: BigInt(order.sellAmount), buy: BigInt(order.buyAmount) }
  const isInverted = isBetterInverted(limit, decimals)
  return {
    sell,
    buy,
    rateUnit: isInverted ? `${sellName} per ${buyName}` : `${buyName} per ${sellName}`,
    formatRate: (exchange) => (isKnown ? formatPrice(exchange, decimals, isInverted) : undefined),
    formatAtomsPrice: (price) => (isKnown ? `${toHumanPrice(price, decimals)} ${buyName} per ${sellName}` : undefined),
  }
}
