import type { Network } from '../../networks/NetworksProvider.tsx'
import { type Sale, toPaidToken } from '../../tokens/toPaidToken.ts'
import { useToken } from '../../tokens/useToken.ts'
import { parseRatio } from '../../ui/ratio/parseRatio.ts'
import { shorten } from '../../ui/shorten.ts'
import { type Exchange, formatPrice, isBetterInverted } from './formatPrice.ts'

export type TokenPair = {
  /** displayed addresses: an order placed by an Ethflow contract shows the native token that its user paid */
  sell: string
  buy: string
  /** metadata of a token is still loading */
  isLoading: boolean
  /** of rates, with a fixed direction: `USDC per WETH` */
  rateUnit: string
  /** `2,512.3`; undefined until decimals are known */
  formatRate: (exchange: Exchange) => string | undefined
  /** the same with its unit, for a price of the API in buy token atoms per sell token atom */
  formatAtomsPrice: (price: string) => string | undefined
}

type Swap = Sale & { buyToken: string; sellAmount: string; buyAmount: string }

/** Both tokens of an order, and the format of prices between them. */
export const useTokenPair = (network: Network, order: Swap): TokenPair => {
  const sell = toPaidToken(network, order)
  const buy = order.buyToken
  const [sellFacts, buyFacts] = [useToken(network, sell), useToken(network, buy)]
  const [sellName, buyName] = [sellFacts?.symbol ?? shorten(sell), buyFacts?.symbol ?? shorten(buy)]
  const isKnown = sellFacts?.decimals !== undefined && buyFacts?.decimals !== undefined
  const decimals = { sell: sellFacts?.decimals ?? 0, buy: buyFacts?.decimals ?? 0 }
  const limit = { sell: BigInt(order.sellAmount), buy: BigInt(order.buyAmount) }
  const isInverted = isBetterInverted(limit, decimals)
  const rateUnit = isInverted ? `${sellName} per ${buyName}` : `${buyName} per ${sellName}`
  const formatRate = (exchange: Exchange) => (isKnown ? formatPrice(exchange, decimals, isInverted) : undefined)
  return {
    sell,
    buy,
    isLoading: sellFacts === undefined || buyFacts === undefined,
    rateUnit,
    formatRate,
    formatAtomsPrice: (price) => {
      const ratio = parseRatio(price)
      const rate = ratio && formatRate({ sell: ratio.denominator, buy: ratio.numerator })
      return rate && `${rate} ${rateUnit}`
    },
  }
}
