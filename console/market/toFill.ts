import type { Network } from '../networks/NetworksProvider.tsx'
import { type Market, toWhole } from './market.ts'
import { toMarketToken } from './toMarket.ts'

type Amounts = { sellToken: string; sellAmount: string | bigint; buyAmount: string | bigint }

/** Amounts of an order or a trade in a market: what is done with the base token, its size and the price. */
export const toFill = (
  { wrappedNative }: Pick<Network, 'wrappedNative'>,
  { base, quote }: Market,
  { sellToken, sellAmount, buyAmount }: Amounts,
): { side: 'buys' | 'sells'; size: number; price: number } => {
  const isSold = toMarketToken(sellToken, wrappedNative) === toMarketToken(base.address, wrappedNative)
  const [baseAtoms, quoteAtoms] = isSold ? [sellAmount, buyAmount] : [buyAmount, sellAmount]
  const size = toWhole(baseAtoms, base)
  return { side: isSold ? 'sells' : 'buys', size, price: toWhole(quoteAtoms, quote) / size }
}

/** Whether an order or a trade is of the market. */
export const isOfMarket = (
  { wrappedNative }: Pick<Network, 'wrappedNative'>,
  { base, quote }: Market,
  { sellToken, buyToken }: { sellToken: string; buyToken: string },
): boolean => {
  const toKey = (...tokens: string[]) =>
    tokens
      .map((token) => toMarketToken(token, wrappedNative))
      .sort()
      .join()
  return toKey(sellToken, buyToken) === toKey(base.address, quote.address)
}
