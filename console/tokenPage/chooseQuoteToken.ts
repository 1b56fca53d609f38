import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import type { Token } from '../tokens/token.ts'
import type { UsdPrices } from '../tokens/useUsdPrices.ts'

/** Furthest price of a dollar token from one dollar. */
const maxDeviation = 0.05

/**
 * The token that prices another one: the listed token nearest to a US dollar, else the wrapped native token.
 * @returns undefined without any
 */
export const chooseQuoteToken = (
  listed: readonly Token[],
  prices: UsdPrices,
  token: string,
  wrappedNative: string,
): Token | undefined => {
  const others = listed.filter(({ address }) => address !== token && address !== nativeSentinel)
  const distance = ({ address }: Token) => Math.abs((prices.get(address) ?? Number.POSITIVE_INFINITY) - 1)
  const [nearest] = others.toSorted((a, b) => (distance(a) < distance(b) ? -1 : distance(a) > distance(b) ? 1 : 0))
  if (nearest && distance(nearest) <= maxDeviation) return nearest
  return others.find(({ address }) => address === wrappedNative)
}
