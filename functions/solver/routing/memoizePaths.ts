import type { Address } from 'viem'
import { wrapToken } from '#shared/networks.ts'
import { buildPaths, type Strategy } from './buildPaths.ts'

/** The paths of orders, and those along which their fees may be sold. */
export const listReadPaths = (
  orders: readonly { sellToken: Address; buyToken: Address }[],
  buildPaths: (sellToken: Address, buyToken: Address) => Address[][],
  wrappedNative: Address,
): Set<Address[]> =>
  new Set([
    ...orders.flatMap(({ sellToken, buyToken }) => buildPaths(sellToken, buyToken)),
    ...listFeePaths(orders, wrappedNative),
  ])

/** The paths along which fees in what orders sell may be sold. */
export const listFeePaths = (orders: readonly { sellToken: Address }[], wrappedNative: Address): Address[][] =>
  [...new Set(orders.map(({ sellToken }) => sellToken))].flatMap((token) =>
    token === wrappedNative ? [] : [[token, wrappedNative]],
  )

/** `buildPaths` for one strategy, with the native token as the wrapped one; each pair is computed once. */
export const memoizePaths = (
  wrappedNative: Address,
  strategy: Strategy,
  baseTokens: readonly Address[],
): ((sellToken: Address, buyToken: Address) => Address[][]) => {
  const known = new Map<string, Address[][]>()
  return (sellToken, buyToken) => {
    const bought = wrapToken(buyToken, wrappedNative)
    const key = `${sellToken}${bought}`
    const paths = known.get(key) ?? buildPaths(sellToken, bought, strategy, baseTokens)
    known.set(key, paths)
    return paths
  }
}
