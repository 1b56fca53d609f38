import { nativeSentinel } from '../tokens/nativeSentinel.ts'

/** The token of a market: the native token and its wrapped form are one. */
export const toMarketToken = (token: string, wrappedNative: string): string =>
  token === nativeSentinel ? wrappedNative : token

/**
 * The market of two tokens in an order that is the same for both directions, so that both share one request.
 * @returns null when both tokens are the same in the market
 */
export const toMarket = (
  sell: string,
  buy: string,
  wrappedNative: string,
): { first: string; second: string } | null => {
  const [first = '', second = ''] = [sell, buy].map((token) => toMarketToken(token, wrappedNative)).sort()
  return first === second ? null : { first, second }
}
