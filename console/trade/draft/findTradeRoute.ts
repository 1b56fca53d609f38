import { nativeSentinel } from '../../tokens/nativeSentinel.ts'

type Pair = { sell: { address: string } | undefined; buy: { address: string } | undefined }

/** Way in which a pair is traded: a signed order, an order placed on-chain, or a transaction of the wrapped token. */
export type TradeRoute = 'order' | 'native' | 'wrap' | 'unwrap'

export const findTradeRoute = ({ sell, buy }: Pair, wrappedNative: string): TradeRoute => {
  if (sell?.address === nativeSentinel) return buy?.address === wrappedNative ? 'wrap' : 'native'
  return sell?.address === wrappedNative && buy?.address === nativeSentinel ? 'unwrap' : 'order'
}

/** The native token as the wrapped one that an order sells. */
export const toWrappedSale = <Sold extends Pair>(draft: Sold, wrappedNative: string): Sold => ({
  ...draft,
  sell: draft.sell && { ...draft.sell, address: wrappedNative },
})

export const isWrapping = (route: TradeRoute): route is 'wrap' | 'unwrap' => route === 'wrap' || route === 'unwrap'
